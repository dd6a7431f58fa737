// What people, animals and things do: English verb and what follows it = French infinitive and what follows it.
// {my}, {mon}, {ma}, {mes} go with the subject. ~ marks a reflexive verb whose participle stays as it is, + a verb
// that has "avoir" here, * an object that becomes "de" after a negation though it does not begin with "un" or "une".
import { english, french } from './conjugate.js';

const read = (text) =>
  text
    .trim()
    .split(/\s*[;\n]\s*/)
    .filter(Boolean)
    .map((entry) => {
      const [said, dit] = entry.split('=');
      const [, base, rest = ''] = /^(\S+)(?: (.*))?$/.exec(said);
      const [, infinitive, mark, after = ''] = /^((?:se |s')?[^\s~+]+)([~+])?(?: (.*))?$/.exec(dit);
      const verb = french(infinitive);
      return {
        english: english(base),
        rest,
        french: { ...verb, isUnchanged: mark === '~', isBe: verb.isBe && mark !== '+' },
        after: after.replace('*', ''),
        indefinite: /^(\*|une? )/.test(after),
      };
    });

export const ofPeople = read(`
  bake a cake=faire un gâteau; bake bread=faire *du pain; bake {my} own bread=faire {mon} propre pain; bake an apple pie=préparer une tarte aux pommes
  bake cookies for the children=faire *des biscuits pour les enfants; knead the dough=pétrir la pâte; stir the soup=remuer la soupe
  peel the potatoes=éplucher les pommes de terre; peel an orange=éplucher une orange; slice the bread=couper le pain en tranches; chop the onions=hacher les oignons
  grate the cheese=râper le fromage; boil some water=faire bouillir *de l'eau; fry two eggs=faire frire deux œufs; grill the fish=griller le poisson
  taste the sauce=goûter la sauce; taste the soup with a spoon=goûter la soupe avec une cuillère; pour the milk into the glass=verser le lait dans le verre
  spill the coffee=renverser le café; spill water on the floor=renverser *de l'eau par terre; set the table=mettre la table; clear the table=débarrasser la table
  wash the dishes=faire la vaisselle; do the dishes=faire la vaisselle; dry the plates=essuyer les assiettes; sweep the kitchen=balayer la cuisine; sweep the yard=balayer la cour
  mop the floor=laver le sol; scrub the pots=récurer les casseroles; vacuum the living room=passer l'aspirateur dans le salon; iron the shirts=repasser les chemises
  fold the sheets=plier les draps; fold the towels=plier les serviettes; fold {my} clothes=plier {mes} vêtements; hang the laundry in the garden=étendre le linge dans le jardin
  hang {my} coat behind the door=accrocher {mon} manteau derrière la porte; hang the picture on the wall=accrocher le tableau au mur; sew on a button=coudre un bouton
  sew a dress=coudre une robe; knit a scarf=tricoter une écharpe; knit woollen socks=tricoter *des chaussettes en laine; mend {my} trousers=raccommoder {mon} pantalon
  make {my} bed=faire {mon} lit; tidy {my} room=ranger {ma} chambre; take out the rubbish=sortir+ les poubelles; empty the bin=vider la poubelle; feed the chickens=nourrir les poules
  milk the cows=traire les vaches; water the plants=arroser les plantes; water the flowers=arroser les fleurs; dig a hole=creuser un trou; dig a well=creuser un puits
  plant a tree=planter un arbre; sow the seeds=semer les graines; pick the cherries=cueillir les cerises; pick flowers in the meadow=cueillir *des fleurs dans le pré
  rake the leaves=ratisser les feuilles; mow the lawn=tondre la pelouse; shear the sheep=tondre les moutons; climb the ladder=grimper à l'échelle; climb over the wall=escalader le mur
  climb a tree=grimper à un arbre; climb the hill=gravir la colline; lean the ladder against the wall=appuyer l'échelle contre le mur; lean against the door=s'appuyer contre la porte
  lean the bike against the fence=appuyer le vélo contre la clôture; lean out of the window=se pencher par la fenêtre; lean on {my} stick=s'appuyer sur {ma} canne
  roll up {my} sleeves=retrousser {mes} manches; roll the barrel into the cellar=rouler le tonneau dans la cave; roll the dice=lancer les dés; push the wheelbarrow=pousser la brouette
  push the door open=pousser la porte; pull the rope=tirer sur la corde; carry the heavy boxes=porter les lourdes caisses; carry the basket on {my} head=porter le panier sur la tête
  lift the stone=soulever la pierre; lift the lid=soulever le couvercle; drag the branch across the yard=traîner la branche à travers la cour; throw a stone into the water=jeter une pierre dans l'eau
  throw away the old newspapers=jeter les vieux journaux; throw the ball to the dog=lancer la balle au chien; catch the ball=attraper le ballon; catch a big fish=attraper un gros poisson
  hit the nail with the hammer=frapper le clou avec le marteau; chase the cat=courir après le chat; chase the chickens=pourchasser les poules; hide the key under the stone=cacher la clé sous la pierre
  hide behind the curtain=se cacher derrière le rideau; hide under the bed=se cacher sous le lit; bury the treasure=enterrer le trésor; find a coin in the street=trouver une pièce dans la rue
  lose {my} keys=perdre {mes} clés; look for {my} glasses=chercher {mes} lunettes; forget {my} umbrella on the train=oublier {mon} parapluie dans le train; miss the bus=rater le bus
  miss the last train=rater le dernier train; borrow a book from the library=emprunter un livre à la bibliothèque; borrow money from a friend=emprunter *de l'argent à un ami
  lend {my} bike to a friend=prêter {mon} vélo à un ami; return the books to the library=rendre les livres à la bibliothèque; pay the bill=payer l'addition; pay for the tickets=payer les billets
  count the money=compter l'argent; count the sheep=compter les moutons; save money=économiser *de l'argent; spend all {my} money=dépenser tout {mon} argent; rent a flat=louer un appartement
  sell {my} old car=vendre {ma} vieille voiture; buy a new phone=acheter un nouveau téléphone; sign the contract=signer le contrat; fill in the form=remplir le formulaire
  fill the bucket with water=remplir le seau d'eau; fill the bottle=remplir la bouteille; open the window=ouvrir la fenêtre; open the letter=ouvrir la lettre; open the umbrella=ouvrir le parapluie
  close the shutters=fermer les volets; shut the drawer=fermer le tiroir; lock the door=fermer la porte à clé; knock on the door=frapper à la porte; ring the bell=sonner la cloche
  turn on the light=allumer la lumière; turn off the television=éteindre la télévision; turn off the lamp=éteindre la lampe; switch on the radio=allumer la radio; light a candle=allumer une bougie
  blow out the candles=souffler les bougies; light the fire=allumer le feu; put out the fire=éteindre le feu; burn the letters=brûler les lettres; chop wood=couper *du bois; saw a plank=scier une planche
  paint the fence green=peindre la clôture en vert; paint the walls white=peindre les murs en blanc; repair the roof=réparer le toit; fix the bicycle=réparer le vélo; measure the room=mesurer la pièce
  build a sandcastle=construire un château de sable; build a house=construire une maison; break a window=casser une vitre; tear the paper=déchirer le papier; tear {my} shirt=déchirer {ma} chemise
  wrap the presents=emballer les cadeaux; unwrap the parcel=déballer le paquet; pack {my} suitcase=faire {ma} valise; tie {my} shoelaces=nouer {mes} lacets; tie the rope to the tree=attacher la corde à l'arbre
  put on {my} gloves=mettre {mes} gants; take off {my} shoes=enlever {mes} chaussures; take off {my} hat=enlever {mon} chapeau; try on the red dress=essayer la robe rouge; brush {my} hair=se brosser~ les cheveux
  brush {my} teeth=se brosser~ les dents; wash {my} hands=se laver~ les mains; wash {my} face=se laver~ le visage; comb {my} hair=se peigner; shave=se raser; get dressed=s'habiller; take a bath=prendre un bain
  take a shower=prendre une douche; go to bed=aller au lit; go to bed late=se coucher tard; go to sleep=s'endormir; fall asleep=s'endormir; get up early=se lever tôt; wake up late=se réveiller tard
  cut {my} finger=se couper~ le doigt; burn {my} hand=se brûler~ la main; break {my} arm=se casser~ le bras; break {my} leg=se casser~ la jambe; twist {my} ankle=se tordre~ la cheville; blow {my} nose=se moucher
  cough all night=tousser toute la nuit; sneeze loudly=éternuer bruyamment; whisper a secret=chuchoter un secret; whisper in class=chuchoter en classe; shout for help=appeler à l'aide; scream=crier
  laugh out loud=rire aux éclats; smile at the baby=sourire au bébé; cry in the kitchen=pleurer dans la cuisine; sing a song=chanter une chanson; hum a tune=fredonner un air; whistle a tune=siffler un air
  play the piano=jouer du piano; play the guitar=jouer de la guitare; play the violin=jouer du violon; play cards=jouer aux cartes; play chess=jouer aux échecs; play football=jouer au football
  play in the sand=jouer dans le sable; ride a horse=monter à cheval; ride {my} bike to work=aller au travail à vélo; drive to the sea=aller à la mer en voiture; drive slowly=conduire lentement
  walk along the river=marcher le long de la rivière; walk to school=aller à l'école à pied; walk the dog=promener le chien; go for a walk=se promener; run after the bus=courir après le bus
  run across the field=traverser le champ en courant; cross the street=traverser la rue; cross the bridge=traverser le pont; swim across the lake=traverser le lac à la nage; dive into the pool=plonger dans la piscine
  jump over the ditch=sauter par-dessus le fossé; jump into the water=sauter dans l'eau; slip on the ice=glisser sur la glace; trip over the rug=trébucher sur le tapis; fall off the ladder=tomber de l'échelle
  fall into the river=tomber dans la rivière; sit down on the bench=s'asseoir sur le banc; stand in front of the mirror=se tenir devant le miroir; kneel down=s'agenouiller; lie down on the sofa=s'allonger sur le canapé
  sleep on the floor=dormir par terre; sleep badly=dormir mal; sleep well=dormir bien; dream of the sea=rêver de la mer; snore very loudly=ronfler très fort; rest under a tree=se reposer sous un arbre
  read the newspaper=lire le journal; read a bedtime story=lire une histoire avant de dormir; write a letter to {my} aunt=écrire une lettre à {ma} tante; write a postcard=écrire une carte postale
  draw a map=dessiner une carte; learn a poem by heart=apprendre un poème par cœur; learn to swim=apprendre à nager; learn to read=apprendre à lire; teach the children to read=apprendre à lire aux enfants
  study for the exam=étudier pour l'examen; pass the exam=réussir l'examen; correct the mistakes=corriger les fautes; answer the question=répondre à la question; answer the phone=répondre au téléphone
  ask a question=poser une question; tell a lie=dire un mensonge; tell the truth=dire la vérité; tell a funny story=raconter une histoire drôle; tell the children a story=raconter une histoire aux enfants
  keep a secret=garder un secret; keep {my} promise=tenir {ma} promesse; change {my} mind=changer d'avis; wait for the bus=attendre le bus; wait for the rain to stop=attendre que la pluie s'arrête
  wait in line=faire la queue; call the doctor=appeler le médecin; call the police=appeler la police; visit {my} grandparents=rendre visite à {mes} grands-parents; help {my} mother in the garden=aider {ma} mère au jardin
  help the old man cross the street=aider le vieil homme à traverser la rue; look after the baby=s'occuper du bébé; look after {my} little brother=s'occuper de {mon} petit frère; thank the nurse=remercier l'infirmière
  greet the neighbours=saluer les voisins; wave to the passengers=faire signe aux passagers; shake hands with the mayor=serrer la main du maire; hug {my} grandmother=serrer {ma} grand-mère dans {mes} bras; kiss the baby=embrasser le bébé
  invite {my} cousins to dinner=inviter {mes} cousins à dîner; celebrate {my} birthday=fêter {mon} anniversaire; dance at the wedding=danser au mariage; win the race=gagner la course; lose the game=perdre la partie
  score a goal=marquer un but; take a photo=prendre une photo; take the wrong bus=prendre le mauvais bus; take the stairs=prendre l'escalier; watch the birds=regarder les oiseaux; watch television=regarder la télévision
  listen to the radio=écouter la radio; listen to the rain=écouter la pluie; hear a strange noise=entendre un bruit étrange; see a fox in the garden=voir un renard dans le jardin; smell the roses=sentir les roses
  smell smoke=sentir *de la fumée; feel the wind on {my} face=sentir le vent sur {mon} visage; touch the wet paint=toucher la peinture fraîche; stroke the cat=caresser le chat; saddle the horse=seller le cheval
  feed the ducks=donner à manger aux canards; brush the pony=brosser le poney; bandage the wound=panser la plaie; take {my} medicine=prendre {mon} médicament; drink a glass of water=boire un verre d'eau
  drink {my} coffee without sugar=boire {mon} café sans sucre; eat too many sweets=manger trop de bonbons; eat {my} soup with bread=manger {ma} soupe avec du pain; chew slowly=mâcher lentement; swallow the pill=avaler le comprimé
  bite into an apple=croquer dans une pomme; order a pizza=commander une pizza; have breakfast in the garden=prendre le petit-déjeuner au jardin; have lunch at noon=déjeuner à midi; have dinner with friends=dîner avec des amis
  earn a lot of money=gagner beaucoup d'argent; work in a factory=travailler dans une usine; work at night=travailler la nuit; work on Sundays=travailler le dimanche; live on the third floor=habiter au troisième étage
  live near the station=habiter près de la gare; live alone=vivre seul; move to another city=déménager dans une autre ville; leave the house at seven=quitter la maison à sept heures; arrive on time=arriver à l'heure
  arrive late at the meeting=arriver en retard à la réunion; come home late=rentrer tard; stay at home=rester à la maison; stay in bed=rester au lit; get off the train=descendre du train; get on the bus=monter dans le bus
  land in Lisbon=atterrir à Lisbonne; travel by train=voyager en train; get lost in the forest=se perdre dans la forêt; sail around the world=faire le tour du monde à la voile; put up the tent=monter+ la tente
  speak three languages=parler trois langues; believe in ghosts=croire aux fantômes; remember the war=se souvenir de la guerre; forgive {my} brother=pardonner à {mon} frère; tell lies to {my} parents=mentir à {mes} parents
  argue with the neighbours=se disputer avec les voisins; complain about the food=se plaindre de la nourriture; laugh at {my} jokes=rire de {mes} blagues; weigh the apples=peser les pommes
  shell the peas=écosser les petits pois; crack a nut=casser une noix; sharpen the knives=aiguiser les couteaux; polish {my} boots=cirer {mes} bottes; shake the carpet=secouer le tapis; plug in the lamp=brancher la lampe
  steal an apple=voler une pomme; row across the bay=traverser la baie à la rame; row the boat=ramer; fish in the lake=pêcher dans le lac; hunt rabbits=chasser *des lapins; set a trap=poser un piège; load the truck=charger le camion
  unload the boat=décharger le bateau; deliver the parcels=livrer les paquets; translate the letter=traduire la lettre; describe the thief=décrire le voleur; follow the path=suivre le chemin; explain the rules=expliquer les règles
`);

export const ofAnimals = read(`
  bark at the postman=aboyer après le facteur; bark all night=aboyer toute la nuit; lick the plate=lécher l'assiette; chew a bone=ronger un os; bury a bone=enterrer un os; dig in the garden=creuser dans le jardin
  sleep under the table=dormir sous la table; sleep in the sun=dormir au soleil; scratch the sofa=griffer le canapé; drink from the river=boire à la rivière; graze in the meadow=brouter dans le pré; hide in the tall grass=se cacher dans les hautes herbes
  run away=s'enfuir; escape from the zoo=s'échapper du zoo; bite the hunter=mordre le chasseur; chase the chickens=pourchasser les poules; follow {my} mother=suivre {ma} mère; climb onto the roof=grimper sur le toit
  jump over the fence=sauter par-dessus la clôture; cross the road=traverser la route; eat the carrots=manger les carottes; steal the sausages=voler les saucisses; growl at the stranger=grogner contre l'inconnu; roll in the mud=se rouler dans la boue
  wait in front of the door=attendre devant la porte; come out of the cave=sortir de la grotte; get wet=se mouiller; swim across the pond=traverser l'étang à la nage
`);

export const ofThings = {
  food: read(`
    smell good=sentir bon; smell bad=sentir mauvais; smell delicious=sentir délicieusement bon; taste good=avoir bon goût; taste of lemon=avoir un goût de citron; cost too much=coûter trop cher; cost two euros=coûter deux euros
    lie on the table=être sur la table; fall off the plate=tomber de l'assiette; roll under the table=rouler sous la table; come from Spain=venir d'Espagne; weigh a kilo=peser un kilo; grow in the garden=pousser dans le jardin`),
  thing: read(`
    fall on the floor=tomber par terre; fall off the table=tomber de la table; fall into the water=tomber dans l'eau; cost a lot of money=coûter beaucoup d'argent; cost ten euros=coûter dix euros; belong to my uncle=appartenir à mon oncle
    belong to the teacher=appartenir au professeur; lie on the ground=être par terre; come from Japan=venir du Japon; weigh five kilos=peser cinq kilos; disappear=disparaître; stay in the box=rester dans la boîte; get wet=se mouiller; stand in the corner=être dans le coin`),
  clothes: read(`
    smell of smoke=sentir la fumée; smell clean=sentir le propre; cost too much=coûter trop cher; dry in the sun=sécher au soleil; hang in the wardrobe=être dans l'armoire; belong to my sister=appartenir à ma sœur; fall on the floor=tomber par terre; come from Italy=venir d'Italie`),
  vehicle: read(`
    stop in front of the school=s'arrêter devant l'école; stop at the traffic light=s'arrêter au feu rouge; break down=tomber en panne; leave at six o'clock=partir à six heures; arrive late=arriver en retard; arrive at noon=arriver à midi
    roll down the hill=descendre+ la colline; cross the bridge=traverser le pont; make a lot of noise=faire beaucoup de bruit; cost a lot of money=coûter beaucoup d'argent; belong to my neighbour=appartenir à mon voisin; wait in front of the house=attendre devant la maison`),
  plant: read(`
    smell good=sentir bon; smell sweet=sentir bon; bloom in spring=fleurir au printemps; wither=se faner; grow behind the house=pousser derrière la maison; grow very fast=pousser très vite; need water=avoir besoin d'eau; stand on the table=être sur la table; lose {my} leaves=perdre {mes} feuilles`),
  weather: read(
    `rise=se lever; disappear=disparaître; come back=revenir; stay all day=rester toute la journée`,
  ),
};

export const plants = `flower=fleur f, rose=rose f, tulip=tulipe f, sunflower=tournesol m, daisy=marguerite f, lily=lys m, apple tree=pommier m, oak=chêne m, bush=buisson m, cactus=cactus m, violet=violette f`;
