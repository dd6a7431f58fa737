// Nouns by what can be said of them, and what is said of each kind: for frames in which the sense of a word tells
// which noun a pronoun stands for.
import { readAdjectives } from './adjectives.js';
import { readNouns } from './nouns.js';

export const senses = {
  animal: readNouns(`
    dog=chien m, cat=chat m, horse=cheval m, cow=vache f, pig=cochon m, goat=chèvre f, duck=canard m, goose/geese=oie f
    mouse/mice=souris f, rat=rat m, bird=oiseau m, parrot=perroquet m, owl=hibou/hiboux m, eagle=aigle m, sheep/sheep=mouton m
    pigeon=pigeon m, swan=cygne m, penguin=manchot m, elephant=éléphant m, lion=lion m, tiger=tigre m, leopard=léopard m
    wolf/wolves=loup m, fox=renard m, deer/deer=cerf m, zebra=zèbre m, hippo=hippopotame m, crocodile=crocodile m
    snake=serpent m, tortoise=tortue f, frog=grenouille f, lizard=lézard m, shark=requin m, whale=baleine f, animal=animal/animaux m
    ant=fourmi f, bee=abeille f, camel=chameau m, squirrel=écureuil m, hedgehog=hérisson m, kitten=chaton m, puppy=chiot m
    lamb=agneau m, calf/calves=veau m, bull=taureau m, hyena=hyène f, antelope=antilope f, ostrich=autruche f, otter=loutre f
    mole=taupe f, crow=corbeau m, pony=poney m, foal=poulain m, chick=poussin m, mare=jument f, ewe=brebis f, lioness=lionne f
    beast=bête f, creature=créature f, turkey=dinde f, swallow=hirondelle f, stork=cigogne f, wasp=guêpe f
    butterfly=papillon m, snail=escargot m, panther=panthère f, gazelle=gazelle f, hare=lièvre m, mule=mule f, ox/oxen=bœuf m
    seal=phoque m, toad=crapaud m, beetle=scarabée m, weasel=belette f, seagull=mouette f, partridge=perdrix/perdrix f, rooster=coq m`),
  person: readNouns(`
    child/children=enfant m, boy=garçon m, girl=fille f, woman/women=femme f, man/men=homme m, nurse=infirmière f, soldier=soldat m
    worker=ouvrier m, student=étudiant m, visitor=visiteur m, sailor=marin m, hunter=chasseur m, traveler=voyageur m, guest=invité m
    waitress=serveuse f, dancer=danseuse f, princess=princesse f, farmer=fermier m, player=joueur m, passenger=passager m
    sister=sœur f, brother=frère m, daughter=fille f, cousin=cousin m, neighbor=voisin m, actress=actrice f, singer=chanteuse f
    pupil=élève m, witch=sorcière f, lady/ladies=dame f, grandmother=grand-mère/grands-mères f, fisherman/fishermen=pêcheur m`),
  way: readNouns(`
    street=rue f, road=route f, bridge=pont m, path=chemin m, track=piste f, alley=ruelle f, avenue=avenue f, boulevard=boulevard m
    highway=autoroute f, passage=passage m, footbridge=passerelle f, trail=sentier m, square=place f, crossroads/crossroads=carrefour m`),
  water: readNouns(`
    stream=ruisseau m, canal=canal/canaux m, ditch=fossé m, pond=étang m, pool=piscine f, sea=mer f, swamp=marais m, puddle=flaque f
    ford=gué m, bay=baie f`),
  field: readNouns(`
    field=champ m, meadow=prairie f, garden=jardin m, desert=désert m, valley=vallée f, beach=plage f, park=parc m, clearing=clairière f
    yard=cour f, hill=colline f, plain=plaine f`),
  fruit: readNouns(`
    apple=pomme f, pear=poire f, peach=pêche f, plum=prune f, cherry=cerise f, strawberry=fraise f, raspberry=framboise f
    grape=raisin m, melon=melon m, mango/mangoes=mangue f, watermelon=pastèque f, apricot=abricot m, fig=figue f, lemon=citron m
    orange=orange f, tomato/tomatoes=tomate f, avocado=avocat m, pineapple=ananas m, cucumber=concombre m, berry=baie f`),
  dish: readNouns(`
    meat=viande f, fish/fish=poisson m, cheese=fromage m, cake=gâteau m, pie=tarte f, sandwich=sandwich m, sausage=saucisse f
    pizza=pizza f, salad=salade f, meal=repas m, chicken=poulet m, omelette=omelette f, pancake=crêpe f, potato/potatoes=pomme de terre/pommes de terre f
    biscuit=biscuit m, egg=œuf m, mushroom=champignon m, bread=pain m, rice=riz m, steak=steak m, ham=jambon m, stew=ragoût m
    oyster=huître f, pea=petit pois/petits pois m, leek=poireau m, toast=tartine f, radish=radis m`),
  liquid: readNouns(`
    water=eau f, milk=lait m, tea=thé m, coffee=café m, wine=vin m, beer=bière f, lemonade=limonade f, juice=jus m, soup=soupe f
    orange juice=jus d'orange m, oil=huile f, chocolate=chocolat m, cider=cidre m, honey=miel m, sauce=sauce f, cream=crème f
    vinegar=vinaigre m, herbal tea=tisane f, petrol=essence f, syrup=sirop m, paint=peinture f, champagne=champagne m, broth=bouillon m`),
  vessel: readNouns(`
    bottle=bouteille f, glass=verre m, cup=tasse f, bowl=bol m, bucket=seau m, pot=casserole f, jug=cruche f, vase=vase m, mug=tasse f
    teapot=théière f, kettle=bouilloire f, barrel=tonneau m, tank=réservoir m, basin=bassine f, can=bidon m, flask=flacon m
    bathtub=baignoire f, dish=plat m, saucepan=casserole f, carafe=carafe f, thermos flask=thermos m, watering can=arrosoir m, sink=évier m`),
  container: readNouns(`
    box=boîte f, bag=sac m, suitcase=valise f, basket=panier m, drawer=tiroir m, cupboard=placard m, wardrobe=armoire f, chest=coffre m
    crate=caisse f, envelope=enveloppe f, backpack=sac à dos/sacs à dos m, case=étui m, trunk=malle f, pocket=poche f, cabinet=meuble m
    bin=poubelle f, sack=sac m, fridge=réfrigérateur m, oven=four m, van=camionnette f, car=voiture f, trailer=remorque f, cart=charrette f
    lorry=camion m, parcel=colis/colis m, kitchen=cuisine f, room=chambre f, cellar=cave f, attic=grenier m, shed=remise f, living room=salon m
    freezer=congélateur m, handbag=sac à main/sacs à main m, folder=dossier m, boat=bateau m, dishwasher=lave-vaisselle/lave-vaisselle m`),
  opening: readNouns(`
    door=porte f, window=fenêtre f, gate=portail m, corridor=couloir m, staircase=escalier m, passage=passage m, entrance=entrée f
    doorway=porte f, hallway=couloir m, hatch=trappe f, gap=trou m, opening=ouverture f, pipe=tuyau m, skylight=lucarne f`),
  bulky: readNouns(`
    table=table f, sofa=canapé m, armchair=fauteuil m, bed=lit m, wardrobe=armoire f, desk=bureau m, mattress=matelas m, bicycle=vélo m
    chest of drawers/chests of drawers=commode f, trunk=malle f, ladder=échelle f, rug=tapis m, mirror=miroir m, television=télévision f
    crate=caisse f, fridge=réfrigérateur m, cupboard=placard m, board=planche f, tent=tente f, guitar=guitare f, suitcase=valise f, bench=banc m
    pram=poussette f, drum=tambour m, harp=harpe f, bookcase=bibliothèque f, painting=tableau m, machine=machine f, stove=cuisinière f
    trophy=trophée m, parcel=colis/colis m, tree=arbre m, plant=plante f, sculpture=sculpture f, chair=chaise f, sledge=traîneau m
    cello=violoncelle m, double bass/double basses=contrebasse f, bathtub=baignoire f, kite=cerf-volant/cerfs-volants m`),
  valuable: readNouns(`
    letter=lettre f, necklace=collier m, watch=montre f, jewel=bijou/bijoux m, passport=passeport m, photo=photo f, key=clé f, bracelet=bracelet m
    contract=contrat m, document=document m, medal=médaille f, crown=couronne f, diamond=diamant m, pearl=perle f, treasure=trésor m
    camera=appareil photo/appareils photo m, purse=bourse f, sword=épée f, dress=robe f, violin=violon m, card=carte f, file=dossier m
    ticket=billet m, diary=journal intime/journaux intimes m, money=argent m, gun=pistolet m, painting=peinture f, lamp=lampe f, gift=cadeau m`),
  document: readNouns(`
    letter=lettre f, book=livre m, newspaper=journal m, card=carte f, poem=poème m, contract=contrat m, notebook=cahier m, list=liste f
    message=message m, map=carte f, report=rapport m, recipe=recette f, magazine=magazine m, text=texte m, page=page f, diploma=diplôme m, invoice=facture f`),
  garment: readNouns(`
    shirt=chemise f, dress=robe f, skirt=jupe f, coat=manteau m, jacket=veste f, hat=chapeau m, cap=casquette f, scarf/scarves=écharpe f
    tie=cravate f, belt=ceinture f, suit=costume m, apron=tablier m, blouse=chemisier m, towel=serviette f, tablecloth=nappe f, sheet=drap m
    blanket=couverture f, curtain=rideau m, jumper=pull m, uniform=uniforme m, rug=tapis m, veil=voile m, cardigan=gilet m, sock=chaussette f, glove=gant m`),
  vehicle: readNouns(`
    car=voiture f, bus=bus m, truck=camion m, lorry=camion m, van=camionnette f, motorcycle=moto f, taxi=taxi m, train=train m, coach=autocar m
    tram=tramway m, ambulance=ambulance f, cart=charrette f, scooter=scooter m, caravan=caravane f, wagon=chariot m, jeep=jeep f
    fire engine=camion de pompiers/camions de pompiers m, limousine=limousine f, moped=mobylette f, bulldozer=bulldozer m`),
  vessel_at_sea: readNouns(`
    boat=bateau m, ship=navire m, sailing boat=voilier m, canoe=canoë m, rowing boat=barque f, raft=radeau m, submarine=sous-marin/sous-marins m
    ferry=ferry m, yacht=yacht m, dinghy=barque f, liner=paquebot m, gondola=gondole f, motorboat=vedette f`),
  far: readNouns(`
    island=île f, coast=côte f, port=port m, harbor=port m, village=village m, town=ville f, castle=château m, station=gare f, camp=camp m
    city=ville f, beach=plage f, lighthouse=phare m, farm=ferme f, mountain=montagne f, summit=sommet m, border=frontière f, house=maison f
    hospital=hôpital m, school=école f, mill=moulin m, shore=rive f, shelter=abri m, airport=aéroport m, refuge=refuge m, inn=auberge f`),
  lair: readNouns(`
    nest=nid m, stable=écurie f, barn=grange f, cabin=cabane f, hut=hutte f, kennel=niche f, cage=cage f, house=maison f, tree=arbre m
    burrow=terrier m, tent=tente f, box=boîte f, cellar=cave f, attic=grenier m, bush=buisson m, branch=branche f, field=champ m, kitchen=cuisine f
    room=chambre f, castle=château m, yard=cour f, den=tanière f, island=île f, bedroom=chambre f, garden=jardin m, truck=camion m, boat=bateau m
    basket=panier m, shelter=abri m, mill=moulin m, corner=coin m, pen=enclos m, cowshed=étable f, aquarium=aquarium m`),
  money: readNouns(`
    money=argent m, banknote=billet m, fortune=fortune f, wage=salaire m, allowance=allocation f, sum=somme f, pound=livre f, dollar=dollar m, prize=prix m
    reward=récompense f`),
  melting: readNouns(`
    ice=glace f, butter=beurre m, chocolate=chocolat m, mud=boue f, ice cream=glace f, wax=cire f, frost=givre m, icing=glaçage m, cheese=fromage m
    honey=miel m, cream=crème f, lava=lave f`),
  slope: readNouns(`
    hill=colline f, slope=pente f, mountain=montagne f, cliff=falaise f, rock=rocher m, slide=toboggan m, ramp=rampe f, wall=mur m, volcano=volcan m
    summit=sommet m, bank=talus m, glacier=glacier m, dune=dune f`),
  thicket: readNouns(`
    jungle=jungle f, thicket=fourré m, undergrowth=sous-bois m, bush=buisson m, crowd=foule f, fog=brouillard m, hedge=haie f, snowdrift=congère f
    wood/woods=bois/bois m, vegetation=végétation f, grass=herbe f, foliage=feuillage m`),
  trap: readNouns(`
    bottle=bouteille f, glass=verre m, cage=cage f, box=boîte f, bucket=seau m, pit=fosse f, well=puits/puits m, aquarium=aquarium m, room=chambre f
    basket=panier m, trap=piège m, net=filet m, cellar=cave f, pen=enclos m, bag=sac m, stable=écurie f, car=voiture f, drawer=tiroir m`),
  perch: readNouns(`
    chair=chaise f, table=table f, wall=mur m, branch=branche f, bed=lit m, fence=clôture f, bench=banc m, sofa=canapé m, stool=tabouret m
    tree=arbre m, window=fenêtre f, platform=plateforme f, balcony=balcon m, cupboard=placard m, gate=barrière f, desk=bureau m, rock=rocher m
    hedge=haie f, step=marche f, fridge=réfrigérateur m, armchair=fauteuil m, barrier=barrière f, hurdle=obstacle m, crate=caisse f, ladder=échelle f`),
  support: readNouns(`
    table=table f, chair=chaise f, bench=banc m, cart=charrette f, wall=mur m, branch=branche f, plate=assiette f, tray=plateau m
    stool=tabouret m, desk=bureau m, board=planche f, bed=lit m, ladder=échelle f, piece of furniture/pieces of furniture=meuble m, hook=crochet m
    nail=clou m, chest of drawers/chests of drawers=commode f, stone=pierre f, trolley=chariot m, window sill=rebord m, armchair=fauteuil m`),
  loose: readNouns(`
    ball=ballon m, bottle=bouteille f, vase=vase m, glass=verre m, lamp=lampe f, book=livre m, plate=assiette f, clock=horloge f, plant=plante f
    radio=radio f, painting=tableau m, doll=poupée f, mirror=miroir m, parcel=colis/colis m, cup=tasse f, bowl=bol m, candle=bougie f, box=boîte f
    stone=pierre f, barrel=tonneau m, flowerpot=pot de fleurs/pots de fleurs m, trophy=trophée m, photo=photo f, umbrella=parapluie m, marble=bille f
    telephone=téléphone m, dictionary=dictionnaire m, suitcase=valise f, sack=sac m, melon=melon m, apple=pomme f`),
  cutter: readNouns(`
    knife/knives=couteau m, saw=scie f, axe=hache f, razor=rasoir m, chainsaw=tronçonneuse f, blade=lame f, sword=épée f, machine=machine f
    penknife/penknives=canif m, lawnmower=tondeuse f, tool=outil m, drill=perceuse f, plane=rabot m, file=lime f`),
  material: readNouns(`
    meat=viande f, bread=pain m, wood=bois m, branch=branche f, cheese=fromage m, wire=fil de fer m, cloth=tissu m, board=planche f
    string=ficelle f, leather=cuir m, cardboard=carton m, grass=herbe f, stone=pierre f, ice=glace f, cake=gâteau m, log=bûche f, metal=métal/métaux m
    steak=steak m, bone=os/os m, pumpkin=citrouille f, hedge=haie f, beam=poutre f, plank=planche f, trunk=tronc m, marble=marbre m, lemon=citron m`),
  carrier: readNouns(`
    string=ficelle f, thread=fil m, branch=branche f, nail=clou m, hook=crochet m, chain=chaîne f, cable=câble m, table=table f, board=planche f
    cart=charrette f, bag=sac m, basket=panier m, box=carton m, belt=ceinture f, bridge=pont m, chair=chaise f, crane=grue f, ladder=échelle f
    beam=poutre f, tray=plateau m, magnet=aimant m, pillar=pilier m, handle=poignée f, boat=barque f`),
  load: readNouns(`
    bell=cloche f, table=table f, painting=tableau m, lamp=lampe f, machine=machine f, sack=sac m, suitcase=valise f, parcel=colis/colis m
    chandelier=lustre m, mirror=miroir m, crate=caisse f, anchor=ancre f, barrel=tonneau m, stone=pierre f, wardrobe=armoire f, engine=moteur m
    anvil=enclume f, sculpture=sculpture f, rock=rocher m, trunk=malle f, bookcase=bibliothèque f, bed=lit m, cannon=canon m, clock=horloge f`),
  group: readNouns(`
    school=école f, club=club m, bank=banque f, family=famille f, hospital=hôpital m, firm=société f, museum=musée m, university=université f
    association=association f, newspaper=journal m, ministry=ministère m, village=village m, town=ville f, choir=chœur m, orchestra=orchestre m
    government=gouvernement m, army=armée f, police=police f, committee=comité m, factory=usine f, shop=magasin m, band=groupe m, party=parti m
    agency=agence f, circus=cirque m, class=classe f, troupe=troupe f, couple=couple m, jury=jury m, community=communauté f, airline=compagnie aérienne/compagnies aériennes f`),
  property: readNouns(`
    house=maison f, castle=château m, factory=usine f, hotel=hôtel m, flat=appartement m, villa=villa f, farm=ferme f, land=terrain m, bus=bus m
    boat=bateau m, tower=tour f, hall=salle f, office=bureau m, warehouse=entrepôt m, machine=machine f, car=voiture f, theater=théâtre m, barn=grange f
    chapel=chapelle f, palace=palais m, field=champ m, plane=avion m, library=bibliothèque f, restaurant=restaurant m, mine=mine f, clinic=clinique f`),
  sight: readNouns(`
    museum=musée m, castle=château m, chapel=chapelle f, cathedral=cathédrale f, temple=temple m, garden=jardin m, tower=tour f, zoo=zoo m, palace=palais m
    mosque=mosquée f, library=bibliothèque f, exhibition=exposition f, shop=magasin m, restaurant=restaurant m, market=marché m, swimming pool=piscine f
    bakery=boulangerie f, theater=théâtre m, bank=banque f, bar=bar m, factory=usine f, abbey=abbaye f, monument=monument m, hotel=hôtel m, pharmacy=pharmacie f`),
  plant: readNouns(`
    flower=fleur f, rose=rose f, plant=plante f, tulip=tulipe f, tree=arbre m, bush=buisson m, orchid=orchidée f, cactus=cactus/cactus m
    lily/lilies=lis/lis m, geranium=géranium m, daisy/daisies=marguerite f, bouquet=bouquet m, seedling=plant m, palm tree=palmier m, violet=violette f`),
  pot: readNouns(`
    vase=vase m, pot=pot m, garden=jardin m, glass=verre m, bowl=bol m, box=boîte f, bottle=bouteille f, jug=cruche f, basket=panier m, room=pièce f
    bucket=seau m, greenhouse=serre f, kitchen=cuisine f, tub=bac m, corner=coin m, carafe=carafe f`),
  device: readNouns(`
    radio=radio f, television=télévision f, phone=téléphone m, lamp=lampe f, printer=imprimante f, camera=caméra f, clock=horloge f, fan=ventilateur m
    machine=machine f, heater=radiateur m, microphone=micro m, calculator=calculatrice f, toy=jouet m, screen=écran m, guitar=guitare f, iron=fer m
    keyboard=clavier m, watch=montre f, projector=projecteur m, vacuum cleaner=aspirateur m, scale=balance f, torch=lampe de poche/lampes de poche f`),
};

const split = (text) => text.trim().split(/\s*[,\n]\s*/);
/** `english=masculine[/feminine[/plural]]`; `too` says that "too" may stand before it, and how often. */
const adjectivesOf = (text, too) =>
  readAdjectives(text).map((adjective) => ({ ...adjective, kind: 'adjective', too }));
const pairsOf = (text) => split(text).map((entry) => entry.split('='));
/** `english=french` of what something did: French in the imperfect or with its auxiliary, * where it agrees. */
const verbsOf = (text) =>
  split(text).map((entry) => {
    const [english, french] = entry.split('=');
    return { english, french, kind: 'verb' };
  });

export const said = {
  tiredness: [
    ...adjectivesOf(
      'tired=fatigué, exhausted=épuisé, sleepy=somnolent, weak=faible, old=vieux/vieille, lazy=paresseux, slow=lent',
      0.6,
    ),
    ...adjectivesOf(
      'frightened=effrayé, scared=effrayé, nervous=nerveux, shy=timide, young=jeune, weak=faible, sick=malade, afraid=effrayé, stubborn=têtu',
      0.35,
    ),
  ],
  state: [
    ...adjectivesOf(
      `sick=malade, ill=malade, blind=aveugle, deaf=sourd, injured=blessé, wounded=blessé, angry=en colère/en colère/en colère
       curious=curieux, sad=triste, lonely=seul, suspicious=méfiant, jealous=jaloux/jalouse, hungry=affamé, thirsty=assoiffé, lost=perdu, surprised=surpris`,
      0,
    ),
    ...verbsOf(
      `was hungry=avait faim, was thirsty=avait soif, was afraid=avait peur, was scared=avait peur, was asleep=dormait, was sleeping=dormait, was exhausted=était épuisé*
       was tired=était fatigué*, was limping=boitait, was trembling=tremblait, was not hungry=n'avait pas faim, wasn't thirsty=n'avait pas soif
       wanted to sleep=voulait dormir, wanted to play=voulait jouer, wanted to rest=voulait se reposer, had eaten too much=avait trop mangé
       had slept badly=avait mal dormi, had just eaten=venait de manger, could not see well=voyait mal, was hungry=avait faim, had a broken leg=avait une patte cassée
       was in pain=avait mal, had hurt itself=s'était blessé*, heard a noise=avait entendu un bruit, was dying=mourait, was not well=n'allait pas bien`,
    ),
  ],
  humanState: [
    ...adjectivesOf(
      `tired=fatigué, sick=malade, ill=malade, exhausted=épuisé, angry=en colère/en colère/en colère, busy=occupé, bored=ennuyé, late=en retard/en retard/en retard
       nervous=nerveux, poor=pauvre, happy=heureux, sad=triste, curious=curieux, drunk=ivre, worried=inquiet, injured=blessé, disappointed=déçu, lost=perdu`,
      0.25,
    ),
    ...verbsOf(
      `were hungry=avait faim, were thirsty=avait soif, were afraid=avait peur, were cold=avait froid, were hot=avait chaud, were not hungry=n'avait pas faim
       were sleeping=dormait, had no money=n'avait pas d'argent, wanted to rest=voulait se reposer, had no time=n'avait pas le temps, were not thirsty=n'avait pas soif
       wanted to go home=voulait rentrer, were in a hurry=était pressé*, had lost their way=s'était perdu*, did not feel well=ne se sentait pas bien`,
    ),
  ],
  way: adjectivesOf(
    'wide=large, long=long/longue, dangerous=dangereux, slippery=glissant, busy=fréquenté, dark=sombre, noisy=bruyant, steep=raide',
    0.6,
  ),
  wayClosed: [
    ...adjectivesOf(
      'closed=fermé, blocked=bloqué, flooded=inondé, icy=verglacé, slippery=glissant, muddy=boueux, wet=mouillé, crowded=bondé, barred=barré',
      0,
    ),
    ...verbsOf(
      "was being repaired=était en travaux, was covered with snow=était couvert* de neige, was full of holes=était plein* de trous, had collapsed=s'était effondré*, was under water=était sous l'eau",
    ),
  ],
  narrow: adjectivesOf(
    'narrow=étroit, low=bas/basse, steep=raide, small=petit, narrow=étroit, bumpy=cahoteux',
    0.7,
  ),
  deep: [
    ...adjectivesOf(
      'deep=profond, wide=large, cold=froid, dirty=sale, dangerous=dangereux, deep=profond',
      0.6,
    ),
    ...adjectivesOf('frozen=gelé, polluted=pollué', 0),
  ],
  field: [
    ...adjectivesOf('wide=large, big=grand, hot=chaud, dangerous=dangereux, noisy=bruyant', 0.7),
    ...adjectivesOf('flooded=inondé, muddy=boueux, crowded=bondé', 0),
  ],
  fruit: [
    ...adjectivesOf(
      'ripe=mûr, sour=acide, hard=dur, green=vert, sweet=sucré, bitter=amer/amère',
      0.3,
    ),
    ...adjectivesOf(
      'rotten=pourri, delicious=délicieux, poisonous=empoisonné, moldy=moisi, juicy=juteux',
      0,
    ),
    ...verbsOf(
      "was not ripe=n'était pas mûr*, wasn't ripe=n'était pas mûr*, was full of worms=était plein* de vers, was still green=était encore vert*, was not ripe yet=n'était pas encore mûr*",
    ),
  ],
  dish: [
    ...adjectivesOf(
      'hot=chaud, cold=froid, salty=salé, spicy=épicé, hard=dur, dry=sec/sèche, tough=dur, fatty=gras/grasse',
      0.6,
    ),
    ...adjectivesOf(
      'rotten=pourri, raw=cru, burnt=brûlé, moldy=moisi, frozen=congelé, poisonous=empoisonné, delicious=délicieux, stale=rassis/rassise, fresh=frais/fraîche, spoiled=avarié',
      0,
    ),
    ...verbsOf(
      "smelled bad=sentait mauvais, tasted bad=avait mauvais goût, was not cooked=n'était pas cuit*, had a strange smell=avait une drôle d'odeur, was not fresh=n'était pas frais*, looked bad=avait l'air mauvais",
    ),
  ],
  liquid: [
    ...adjectivesOf(
      'hot=chaud, cold=froid, sweet=sucré, strong=fort, bitter=amer/amère, salty=salé, warm=chaud, sour=aigre',
      0.6,
    ),
    ...adjectivesOf('dirty=sale, frozen=gelé, poisoned=empoisonné, fresh=frais/fraîche', 0),
    ...verbsOf(
      'smelled bad=sentait mauvais, tasted bad=avait mauvais goût, was getting cold=refroidissait, was boiling=bouillait',
    ),
  ],
  pourable: [
    ...adjectivesOf('hot=chaud, cold=froid, fresh=frais/fraîche, sweet=sucré, strong=fort', 0.5),
    ...verbsOf(
      'was boiling=bouillait, was getting cold=refroidissait, was ready=était prêt*, smelled good=sentait bon, was still hot=était encore chaud*, was left over=restait',
    ),
  ],
  melting: [
    ...verbsOf(
      'was melting=fondait, had melted=avait fondu, was melting=fondait, was getting soft=ramollissait',
    ),
    ...adjectivesOf('soft=mou/molle, hot=chaud, heavy=lourd, wet=mouillé', 0.4),
  ],
  steep: [
    ...adjectivesOf('steep=raide, slippery=glissant, high=haut, steep=raide, smooth=lisse', 0.5),
    ...verbsOf('was shaking=tremblait, was leaning=penchait, was very steep=était très raide*'),
  ],
  dirty: [
    ...adjectivesOf('dirty=sale, tight=serré', 0.4),
    ...adjectivesOf('wet=mouillé, torn=déchiré, clean=propre', 0),
  ],
  vessel: [
    ...adjectivesOf('empty=vide, clean=propre, big=grand, empty=vide, pretty=joli', 0),
    ...verbsOf(
      "was almost empty=était presque vide*, was not full=n'était pas plein*, had been washed=avait été lavé*, was large enough=était assez grand*, had a lid=avait un couvercle",
    ),
  ],
  full: [
    ...adjectivesOf(
      'full=plein, small=petit, small=petit, narrow=étroit, dirty=sale, weak=fragile',
      0.5,
    ),
    ...verbsOf(
      "was already full=était déjà plein*, was closed=était fermé*, was locked=était fermé* à clé, had no more room=n'avait plus de place, was not big enough=n'était pas assez grand*, was torn=était déchiré*",
    ),
  ],
  bulky: adjectivesOf(
    'big=grand, big=gros/grosse, large=grand, long=long/longue, wide=large, bulky=encombrant, thick=épais/épaisse, tall=haut, high=haut, heavy=lourd',
    0.85,
  ),
  small: adjectivesOf(
    'small=petit, narrow=étroit, little=petit, low=bas/basse, short=court, small=petit, narrow=étroit',
    0.85,
  ),
  valuable: [
    ...adjectivesOf(
      'important=important, expensive=cher, valuable=précieux, fragile=fragile, beautiful=beau/belle, secret=secret, precious=précieux, old=ancien',
      0.15,
    ),
    ...verbsOf(
      'was worth a lot=valait cher, was precious to her=lui était précieux*, belonged to the queen=appartenait à la reine, was made of gold=était en or, had cost a lot=avait coûté cher, was broken=était cassé*',
    ),
  ],
  free: [
    ...adjectivesOf('empty=vide, open=ouvert, safe=sûr, empty=vide, free=libre', 0),
    ...verbsOf(
      "was open=était ouvert*, was big enough=était assez grand*, had a lock=avait une serrure, was not locked=n'était pas fermé* à clé, was nearby=était tout près, was still empty=était encore vide*",
    ),
  ],
  heavy: [
    ...adjectivesOf('heavy=lourd, big=gros/grosse, slow=lent, old=vieux/vieille, high=haut', 0.7),
    ...verbsOf(
      "had broken down=était en panne, had no petrol=n'avait plus d'essence, had a flat tyre=avait un pneu crevé, had no brakes=n'avait pas de freins, was overloaded=était surchargé*, had an engine problem=avait un problème de moteur, was broken=était cassé*",
    ),
  ],
  ship: [
    ...adjectivesOf('slow=lent, old=vieux/vieille, heavy=lourd, damaged=endommagé', 0.5),
    ...verbsOf(
      "was leaking=prenait l'eau, had sunk=avait coulé, had no sail=n'avait pas de voile, had broken down=était en panne, was going too slowly=allait trop lentement, had no engine=n'avait pas de moteur, was sinking=coulait",
    ),
  ],
  far: [
    ...verbsOf(
      "was too far away=était trop loin, was far away=était loin, was too far=était trop loin, was hidden by the fog=était caché* par le brouillard, was on the other side=était de l'autre côté, was several miles away=était à plusieurs kilomètres, lay too far to the north=se trouvait trop au nord",
    ),
    ...adjectivesOf('distant=éloigné, far away=éloigné', 0.6),
  ],
  lair: [
    ...adjectivesOf(
      'hot=chaud, cold=froid, noisy=bruyant, small=petit, dark=sombre, dirty=sale, damp=humide',
      0.6,
    ),
    ...verbsOf(
      "was on fire=était en feu, was burning=brûlait, was flooded=était inondé*, was full of water=était plein* d'eau, was full of smoke=était plein* de fumée, had collapsed=s'était effondré*, was being rebuilt=était en travaux, was full of snow=était plein* de neige, was empty=était vide*, was rotten=était pourri*, was about to collapse=allait s'effondrer",
    ),
  ],
  refuge: [
    ...adjectivesOf(
      'warm=chaud, dark=sombre, quiet=calme, safe=sûr, dry=sec/sèche, empty=vide, comfortable=confortable, cool=frais/fraîche',
      0,
    ),
    ...verbsOf(
      "was open=était ouvert*, was full of straw=était plein* de paille, was well hidden=était bien caché*, was big enough=était assez grand*, was not locked=n'était pas fermé* à clé",
    ),
  ],
  dense: [
    ...adjectivesOf('thick=épais/épaisse, dense=dense, thick=épais/épaisse, dark=sombre', 0.7),
  ],
  shut: [
    ...adjectivesOf(
      'closed=fermé, locked=fermé, deep=profond, high=haut, closed=fermé, shut=fermé',
      0,
    ),
    ...adjectivesOf('deep=profond, solid=solide', 0.8),
    ...verbsOf(
      "was well closed=était bien fermé*, had no exit=n'avait pas de sortie, was blocked=était bloqué*",
    ),
  ],
  feeble: [
    ...adjectivesOf(
      'weak=faible, tired=fatigué, fat=gros/grosse, small=petit, young=jeune, old=vieux/vieille, frightened=effrayé',
      0.7,
    ),
    ...adjectivesOf('injured=blessé, sick=malade, tied up=attaché', 0),
    ...verbsOf(
      'was asleep=dormait, was afraid=avait peur, had a broken leg=avait une patte cassée, could no longer move=ne pouvait plus bouger',
    ),
  ],
  tall: [
    ...adjectivesOf(
      'tall=grand, big=grand, big=gros/grosse, fat=gros/grosse, tall=grand, large=grand',
      0.85,
    ),
  ],
  jumper: adjectivesOf(
    'fat=gros/grosse, small=petit, old=vieux/vieille, weak=faible, tired=fatigué, heavy=lourd, young=jeune, slow=lent, lazy=paresseux, clumsy=maladroit',
    0.85,
  ),
  high: [
    ...adjectivesOf('high=haut, high=haut, slippery=glissant, high=haut', 0.8),
    ...adjectivesOf('wet=mouillé, painted=peint, icy=verglacé', 0),
  ],
  loose: [
    ...adjectivesOf('heavy=lourd, round=rond, big=gros/grosse, slippery=glissant', 0.6),
    ...verbsOf(
      "was badly placed=était mal posé*, was too close to the edge=était trop près du bord, was not fixed=n'était pas fixé*, was rolling=roulait",
    ),
  ],
  wobbly: [
    ...adjectivesOf(
      'wobbly=bancal, narrow=étroit, sloping=incliné, unsteady=instable, crooked=tordu',
      0.3,
    ),
    ...verbsOf(
      "was shaking=tremblait, had broken=s'était cassé*, was not straight=n'était pas droit*, had collapsed=s'était effondré*, was leaning=penchait, was not solid=n'était pas solide*, was moving=bougeait",
    ),
  ],
  blunt: [
    ...adjectivesOf(
      'blunt=émoussé, rusty=rouillé, broken=cassé, old=vieux/vieille, small=petit, dull=émoussé, dirty=sale',
      0.2,
    ),
    ...verbsOf(
      "was not sharp=n'était pas tranchant*, was not sharp enough=n'était pas assez tranchant*, did not cut well=coupait mal, needed sharpening=avait besoin d'être aiguisé*",
    ),
  ],
  hard: [
    ...adjectivesOf('hard=dur, thick=épais/épaisse, tough=dur, hard=dur', 0.7),
    ...adjectivesOf('frozen=congelé, frozen=gelé, wet=mouillé, solid=solide', 0),
    ...verbsOf(
      'was like stone=était dur* comme la pierre, was frozen solid=était complètement gelé*',
    ),
  ],
  thin: [
    ...adjectivesOf(
      'thin=mince, weak=faible, fragile=fragile, old=vieux/vieille, thin=fin, short=court, weak=fragile',
      0.75,
    ),
    ...adjectivesOf('rotten=pourri, worn=usé, cracked=fissuré, rusty=rouillé, torn=déchiré', 0),
  ],
  weighty: [
    ...adjectivesOf('heavy=lourd, heavy=lourd, big=gros/grosse, big=grand', 0.8),
    ...verbsOf(
      'weighed a ton=pesait une tonne, weighed too much=pesait trop lourd, was made of iron=était en fer',
    ),
  ],
  group: [
    ...verbsOf(
      `needed money=avait besoin d'argent, had no money=n'avait pas d'argent, had no more money=n'avait plus d'argent, was too poor=était trop pauvre*, had many debts=avait beaucoup de dettes
       wanted to save money=voulait économiser, was losing money=perdait de l'argent, had lost=avait perdu, wanted to leave=voulait partir, had decided to move=avait décidé de déménager
       needed more space=avait besoin de plus de place, had won=avait gagné, was rich=était riche*, was bankrupt=était en faillite, had no choice=n'avait pas le choix, wanted to help=voulait aider`,
    ),
  ],
  property: [
    ...adjectivesOf(
      'old=vieux/vieille, expensive=cher, small=petit, big=grand, dirty=sale, noisy=bruyant, dangerous=dangereux, ugly=laid',
      0.6,
    ),
    ...verbsOf(
      "was in bad condition=était en mauvais état, was falling down=tombait en ruine, was no longer used=n'était plus utilisé*, cost too much=coûtait trop cher, was empty=était vide*, needed repairs=avait besoin de réparations, was on fire=était en feu, had burned down=avait brûlé, was haunted=était hanté*, was not heated=n'était pas chauffé*",
    ),
  ],
  sight: [
    ...adjectivesOf(
      'closed=fermé, crowded=bondé, expensive=cher, far away=éloigné, ugly=laid, small=petit',
      0.3,
    ),
    ...verbsOf(
      "was closed=était fermé*, was being restored=était en travaux, was full=était plein*, was not open=n'était pas ouvert*, cost too much=coûtait trop cher, had burned down=avait brûlé, was under repair=était en travaux",
    ),
  ],
  plant: [
    ...adjectivesOf('dry=sec/sèche, withered=fané, beautiful=beau/belle, delicate=fragile', 0.2),
    ...verbsOf(
      "needed water=avait besoin d'eau, needed light=avait besoin de lumière, needed sun=avait besoin de soleil, smelled good=sentait bon, was growing too fast=poussait trop vite, was dying=mourait, had no roots=n'avait pas de racines, was in bloom=était en fleurs",
    ),
  ],
  hidden: [
    ...adjectivesOf(
      'hidden=caché, invisible=invisible, small=petit, fast=rapide, quick=rapide',
      0.2,
    ),
    ...verbsOf(
      "was hidden=était caché*, was well hidden=était bien caché*, was hiding=se cachait, was behind the tree=était derrière l'arbre, had gone=était parti*, was under the leaves=était sous les feuilles, was too far away=était trop loin",
    ),
  ],
  unseeing: [
    ...adjectivesOf(
      'blind=aveugle, tired=fatigué, old=vieux/vieille, distracted=distrait, sick=malade, sleepy=somnolent',
      0.2,
    ),
    ...verbsOf(
      'was asleep=dormait, was sleeping=dormait, was looking the other way=regardait ailleurs, was half blind=était à moitié aveugle*, could not see well=voyait mal, had its eyes closed=avait les yeux fermés',
    ),
  ],
  catchless: [
    ...adjectivesOf(
      'slow=lent, tired=fatigué, old=vieux/vieille, clumsy=maladroit, lazy=paresseux, fat=gros/grosse, weak=faible',
      0.75,
    ),
    ...verbsOf('was limping=boitait, had a sore leg=avait mal à la patte'),
  ],
  fleeting: [
    ...adjectivesOf(
      'fast=rapide, quick=rapide, clever=malin/maligne, agile=agile, cunning=rusé',
      0.75,
    ),
    ...verbsOf(
      "ran too fast=courait trop vite, ran faster=courait plus vite, had hidden=s'était caché*, escaped=s'était enfui*",
    ),
  ],
  broken: [
    ...adjectivesOf(
      'broken=cassé, expensive=cher, old=vieux/vieille, noisy=bruyant, heavy=lourd, damaged=endommagé',
      0.15,
    ),
    ...verbsOf(
      "did not work=ne marchait pas, no longer worked=ne marchait plus, was out of order=était en panne, made too much noise=faisait trop de bruit, had no battery=n'avait pas de pile, was being repaired=était en réparation, was switched off=était éteint*",
    ),
  ],
};

export const did = {
  animal: [
    ...pairsOf(
      "barked=a aboyé, growled=a grogné, jumped=a sauté, ran away=s'est enfui*, hid=s'est caché*, fell asleep=s'est endormi*, began to bark=s'est mis* à aboyer, sneezed=a éternué, bit me=m'a mordu, died=est mort*, howled=a hurlé, yawned=a bâillé, woke up=s'est réveillé*, got scared=a eu peur, ate=a mangé",
    ),
  ],
  vehicle: [
    ...pairsOf(
      "stopped=s'est arrêté*, braked=a freiné, turned left=a tourné à gauche, slowed down=a ralenti, broke down=est tombé* en panne, skidded=a dérapé, ran out of petrol=est tombé* en panne d'essence, honked=a klaxonné, started=a démarré, caught fire=a pris feu",
    ),
  ],
};

export const done = {
  food: pairsOf(
    'ate=mangé, peeled=épluché, cut=coupé, tasted=goûté, ate=mangé, washed=lavé, swallowed=avalé',
  ),
  money: pairsOf(
    'spent=dépensé, counted=compté, spent=dépensé, lost=perdu, stole=volé, saved=économisé',
  ),
  document: pairsOf(
    'read=lu, signed=signé, copied=copié, tore up=déchiré, burned=brûlé, translated=traduit, reread=relu',
  ),
  garment: pairsOf(
    'put on=mis, ironed=repassé, wore=porté, folded=plié, tried on=essayé, mended=réparé, sewed=cousu',
  ),
  valuable: pairsOf(
    'sold=vendu, broke=cassé, cleaned=nettoyé, admired=admiré, stole=volé, sold=vendu',
  ),
  container: pairsOf(
    'closed=fermé, shut=fermé, emptied=vidé, locked=fermé… à clé, closed again=refermé, filled=rempli',
  ),
};
