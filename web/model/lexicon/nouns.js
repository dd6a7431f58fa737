// Everyday nouns by kind: english[/plural]=french[/plural] gender. Plurals are given where no rule makes them.

export const readNouns = (text) =>
  text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map((entry) => {
      const [, english, englishPlural, french, frenchPlural, gender] =
        /^([^/=]+)(?:\/([^=]+))?=([^/]+?)(?:\/(.+))? ([mf])$/.exec(entry);
      return { english, englishPlural, french, frenchPlural, feminine: gender === 'f' };
    });

export const nouns = {
  family: readNouns(`
    mother=mère f, father=père m, sister=sœur f, brother=frère m, aunt=tante f, uncle=oncle m, cousin=cousin m
    grandmother=grand-mère/grands-mères f, grandfather=grand-père/grands-pères m, son=fils/fils m, daughter=fille f
    wife/wives=femme f, husband=mari m, nephew=neveu/neveux m, niece=nièce f, neighbor=voisin m, neighbour=voisin m
    friend=ami m, grandson=petit-fils/petits-fils m, granddaughter=petite-fille/petites-filles f, twin=jumeau m
    stepmother=belle-mère/belles-mères f, son-in-law/sons-in-law=gendre m, godfather=parrain m, roommate=colocataire m
    colleague=collègue m, boss=patron m, best friend=meilleur ami/meilleurs amis m, fiancé=fiancé m`),
  person: readNouns(`
    man/men=homme m, woman/women=femme f, child/children=enfant m, boy=garçon m, girl=fille f, baby=bébé m
    teacher=professeur m, doctor=médecin m, nurse=infirmière f, farmer=fermier m, baker=boulanger m, butcher=boucher m
    fisherman/fishermen=pêcheur m, hunter=chasseur m, carpenter=charpentier m, tailor=tailleur m, driver=chauffeur m
    postman/postmen=facteur m, policeman/policemen=policier m, fireman/firemen=pompier m, soldier=soldat m
    sailor=marin m, pilot=pilote m, singer=chanteur m, dancer=danseuse f, painter=peintre m, writer=écrivain m
    cook=cuisinier m, waiter=serveur m, waitress=serveuse f, hairdresser=coiffeur m, plumber=plombier m
    lawyer=avocat m, judge=juge m, engineer=ingénieur m, student=étudiant m, pupil=élève m, king=roi m, queen=reine f
    prince=prince m, princess=princesse f, thief/thieves=voleur m, tourist=touriste m, gardener=jardinier m
    dentist=dentiste m, librarian=bibliothécaire m, shopkeeper=commerçant m, mechanic=mécanicien m, guard=gardien m
    witch=sorcière f, giant=géant m, stranger=inconnu m, guest=invité m, old lady/old ladies=vieille dame f
    shepherd=berger m, monk=moine m, artist=artiste m, musician=musicien m, scientist=scientifique m, clown=clown m
    journalist=journaliste m, secretary=secrétaire f, surgeon=chirurgien m, patient=patient m, customer=client m
    mayor=maire m, minister=ministre m, president=président m, goalkeeper=gardien de but/gardiens de but m
    actor=acteur m, actress=actrice f, magician=magicien m, knight=chevalier m, vet=vétérinaire m, spy=espion m
    cashier=caissière f, builder=maçon m, electrician=électricien m, photographer=photographe m, passenger=passager m
    midwife/midwives=sage-femme/sages-femmes f, coach=entraîneur m, pharmacist=pharmacien m, beggar=mendiant m
    elder=ancien m, chief=chef m, weaver=tisserand m, potter=potier m, blacksmith=forgeron m, scholar=savant m`),
  animal: readNouns(`
    dog=chien m, cat=chat m, horse=cheval m, cow=vache f, pig=cochon m, sheep/sheep=mouton m, goat=chèvre f
    donkey=âne m, rabbit=lapin m, hen=poule f, rooster=coq m, duck=canard m, goose/geese=oie f, turkey=dinde f
    mouse/mice=souris f, rat=rat m, bird=oiseau m, parrot=perroquet m, owl=hibou/hiboux m, eagle=aigle m
    pigeon=pigeon m, swan=cygne m, penguin=manchot m, elephant=éléphant m, lion=lion m, tiger=tigre m
    leopard=léopard m, bear=ours m, wolf/wolves=loup m, fox=renard m, deer/deer=cerf m, monkey=singe m
    giraffe=girafe f, zebra=zèbre m, hippo=hippopotame m, rhinoceros=rhinocéros m, crocodile=crocodile m
    snake=serpent m, turtle=tortue f, tortoise=tortue f, frog=grenouille f, lizard=lézard m, fish/fish=poisson m
    shark=requin m, whale=baleine f, dolphin=dauphin m, octopus=pieuvre f, crab=crabe m, bee=abeille f
    butterfly=papillon m, spider=araignée f, ant=fourmi f, fly=mouche f, mosquito/mosquitoes=moustique m
    snail=escargot m, worm=ver m, camel=chameau m, kangaroo=kangourou m, squirrel=écureuil m, hedgehog=hérisson m
    bat=chauve-souris/chauves-souris f, puppy=chiot m, kitten=chaton m, lamb=agneau m, calf/calves=veau m, bull=taureau m
    hyena=hyène f, antelope=antilope f, ostrich=autruche f, chameleon=caméléon m, gorilla=gorille m, dragon=dragon m
    unicorn=licorne f, seal=phoque m, otter=loutre f, beaver=castor m, mole=taupe f, crow=corbeau m, peacock=paon m
    robin=rouge-gorge/rouges-gorges m, swallow=hirondelle f, stork=cigogne f, wasp=guêpe f, ladybird=coccinelle f
    hamster=hamster m, pony=poney m, foal=poulain m, chick=poussin m, tadpole=têtard m, dinosaur=dinosaure m`),
  food: readNouns(`
    apple=pomme f, pear=poire f, banana=banane f, orange=orange f, lemon=citron m, peach=pêche f, plum=prune f
    cherry=cerise f, strawberry=fraise f, raspberry=framboise f, grape=raisin m, melon=melon m, pineapple=ananas m
    mango/mangoes=mangue f, coconut=noix de coco/noix de coco f, watermelon=pastèque f, apricot=abricot m, fig=figue f
    tomato/tomatoes=tomate f, potato/potatoes=pomme de terre/pommes de terre f, carrot=carotte f, onion=oignon m
    cabbage=chou/choux m, cucumber=concombre m, mushroom=champignon m, bean=haricot m, pea=petit pois/petits pois m
    pepper=poivron m, pumpkin=citrouille f, lettuce=laitue f, egg=œuf m, cake=gâteau m, pie=tarte f, pancake=crêpe f
    cookie=biscuit m, sandwich=sandwich m, sausage=saucisse f, candy=bonbon m, sweet=bonbon m, walnut=noix/noix f
    loaf of bread/loaves of bread=pain m, croissant=croissant m, omelette=omelette f, hamburger=hamburger m
    pizza=pizza f, salad=salade f, meal=repas m, ice cream=glace f, chicken=poulet m, aubergine=aubergine f
    radish=radis m, leek=poireau m, date=datte f, avocado=avocat m, blueberry=myrtille f, olive=olive f, nut=noix/noix f
    peanut=cacahuète f, turnip=navet m, courgette=courgette f, sweet potato/sweet potatoes=patate douce/patates douces f
    waffle=gaufre f, doughnut=beignet m, lollipop=sucette f, oyster=huître f, shrimp/shrimp=crevette f`),
  mass: readNouns(`
    bread=pain m, rice=riz m, meat=viande f, cheese=fromage m, butter=beurre m, honey=miel m, sugar=sucre m, salt=sel m
    pepper=poivre m, flour=farine f, jam=confiture f, chocolate=chocolat m, soup=soupe f, fish=poisson m, ham=jambon m
    oil=huile f, garlic=ail m, cream=crème f, beef=bœuf m, chicken=poulet m, spinach=épinards m, mustard=moutarde f
    pork=porc m, fruit=fruits m, porridge=bouillie f, yoghurt=yaourt m, vinegar=vinaigre m, corn=maïs m, bacon=lard m
    ginger=gingembre m, cinnamon=cannelle f, millet=millet m, cassava=manioc m, pasta=pâtes f, maize=maïs m`),
  drink: readNouns(`
    water=eau f, milk=lait m, tea=thé m, coffee=café m, wine=vin m, beer=bière f, lemonade=limonade f
    orange juice=jus d'orange m, apple juice=jus de pomme m, hot chocolate=chocolat chaud m, cider=cidre m
    green tea=thé vert m, black coffee=café noir m, mint tea=thé à la menthe m, red wine=vin rouge m
    white wine=vin blanc m, cold water=eau froide f, hot water=eau chaude f, coconut milk=lait de coco m`),
  thing: readNouns(`
    book=livre m, pen=stylo m, pencil=crayon m, notebook=cahier m, letter=lettre f, newspaper=journal m, map=carte f
    key=clé f, bag=sac m, suitcase=valise f, box=boîte f, bottle=bouteille f, glass=verre m, cup=tasse f, plate=assiette f
    bowl=bol m, spoon=cuillère f, fork=fourchette f, knife/knives=couteau m, pot=casserole f, pan=poêle f, basket=panier m
    umbrella=parapluie m, watch=montre f, clock=horloge f, ring=bague f, necklace=collier m, wallet=portefeuille m
    purse=sac à main/sacs à main m, phone=téléphone m, computer=ordinateur m, camera=appareil photo/appareils photo m
    radio=radio f, television=télévision f, lamp=lampe f, candle=bougie f, mirror=miroir m, picture=image f
    painting=tableau m, photo=photo f, ball=balle f, doll=poupée f, toy=jouet m, kite=cerf-volant/cerfs-volants m
    drum=tambour m, guitar=guitare f, piano=piano m, violin=violon m, flute=flûte f, trumpet=trompette f, bell=cloche f
    hammer=marteau m, saw=scie f, nail=clou m, screw=vis/vis f, rope=corde f, ladder=échelle f, shovel=pelle f
    broom=balai m, bucket=seau m, brush=brosse f, comb=peigne m, toothbrush=brosse à dents/brosses à dents f
    towel=serviette f, blanket=couverture f, pillow=oreiller m, soap=savon m, scissors/scissors=ciseaux/ciseaux m
    needle=aiguille f, button=bouton m, stamp=timbre m, envelope=enveloppe f, ticket=billet m, coin=pièce f
    gift=cadeau m, present=cadeau m, flower=fleur f, rose=rose f, tree=arbre m, leaf/leaves=feuille f, stone=pierre f
    shell=coquillage m, feather=plume f, flag=drapeau m, tent=tente f, lighter=briquet m, match=allumette f
    battery=pile f, calendar=calendrier m, dictionary=dictionnaire m, ruler=règle f, eraser=gomme f, painting=peinture f
    balloon=ballon m, puzzle=puzzle m, card=carte f, statue=statue f, vase=vase m, jar=bocal m, tray=plateau m
    teapot=théière f, kettle=bouilloire f, corkscrew=tire-bouchon m, oven=four m, fridge=réfrigérateur m, iron=fer m
    spear=lance f, sword=épée f, shield=bouclier m, crown=couronne f, treasure=trésor m, magic wand=baguette magique/baguettes magiques f
    rug=tapis m, calculator=calculatrice f, wheelbarrow=brouette f, torch=lampe de poche/lampes de poche f
    pillowcase=taie d'oreiller/taies d'oreiller f, wheel=roue f, engine=moteur m, compass=boussole f, telescope=télescope m
    diary=journal intime/journaux intimes m, backpack=sac à dos/sacs à dos m, lock=serrure f, axe=hache f, net=filet m`),
  clothes: readNouns(`
    shirt=chemise f, dress=robe f, skirt=jupe f, coat=manteau m, jacket=veste f, hat=chapeau m, cap=casquette f
    scarf/scarves=écharpe f, sweater=pull m, jumper=pull m, tie=cravate f, belt=ceinture f, t-shirt=t-shirt m
    suit=costume m, raincoat=imperméable m, apron=tablier m, swimsuit=maillot de bain/maillots de bain m, blouse=chemisier m
    mask=masque m, wedding dress=robe de mariée/robes de mariée f, uniform=uniforme m, helmet=casque m, veil=voile m
    bathrobe=peignoir m, turban=turban m, bracelet=bracelet m, woolly hat=bonnet m, cardigan=gilet m`),
  pairs: readNouns(`
    shoe=chaussure f, boot=botte f, sock=chaussette f, glove=gant m, sandal=sandale f, slipper=pantoufle f
    mitten=moufle f, sneaker=basket f, earring=boucle d'oreille/boucles d'oreilles f, trainer=basket f`),
  house: readNouns(`
    kitchen=cuisine f, bedroom=chambre f, bathroom=salle de bain/salles de bain f, living room=salon m, garden=jardin m
    garage=garage m, cellar=cave f, attic=grenier m, roof=toit m, wall=mur m, door=porte f, window=fenêtre f, stairs/stairs=escalier m
    floor=sol m, table=table f, chair=chaise f, bed=lit m, sofa=canapé m, cupboard=placard m, desk=bureau m, shelf/shelves=étagère f
    wardrobe=armoire f, armchair=fauteuil m, bathtub=baignoire f, sink=évier m, drawer=tiroir m, curtain=rideau m, carpet=tapis m
    balcony=balcon m, chimney=cheminée f, gate=portail m, fence=clôture f, bench=banc m, room=pièce f, dining room=salle à manger/salles à manger f`),
  vehicle: readNouns(`
    car=voiture f, bus=bus m, train=train m, bicycle=vélo m, bike=vélo m, truck=camion m, lorry=camion m, plane=avion m
    boat=bateau m, ship=navire m, motorcycle=moto f, taxi=taxi m, tractor=tracteur m, helicopter=hélicoptère m, tram=tramway m
    ambulance=ambulance f, van=camionnette f, sailing boat=voilier m, cart=charrette f, canoe=canoë m, rocket=fusée f
    scooter=scooter m, caravan=caravane f, ferry=ferry m, sled=traîneau m, submarine=sous-marin/sous-marins m`),
  place: readNouns(`
    house=maison f, school=école f, hospital=hôpital m, church=église f, mosque=mosquée f, market=marché m, shop=magasin m
    bakery=boulangerie f, restaurant=restaurant m, hotel=hôtel m, bank=banque f, post office=bureau de poste/bureaux de poste m
    library=bibliothèque f, museum=musée m, cinema=cinéma m, theater=théâtre m, station=gare f, airport=aéroport m, harbor=port m
    port=port m, bridge=pont m, street=rue f, road=route f, park=parc m, square=place f, farm=ferme f, village=village m
    town=ville f, city=ville f, castle=château m, factory=usine f, office=bureau m, pharmacy=pharmacie f, zoo=zoo m
    swimming pool=piscine f, stadium=stade m, prison=prison f, tower=tour f, lighthouse=phare m, mill=moulin m
    river=rivière f, lake=lac m, beach=plage f, forest=forêt f, mountain=montagne f, island=île f, desert=désert m
    field=champ m, hill=colline f, cave=grotte f, valley=vallée f, path=chemin m, well=puits m, hut=case f, temple=temple m
    supermarket=supermarché m, bookshop=librairie f, bus stop=arrêt de bus/arrêts de bus m, university=université f
    palace=palais m, cemetery=cimetière m, waterfall=cascade f, volcano=volcan m, stable=écurie f, barn=grange f
    playground=aire de jeux/aires de jeux f, town hall=mairie f, embassy=ambassade f, shoe shop=magasin de chaussures/magasins de chaussures m
    vineyard=vignoble m, orchard=verger m, swamp=marais m, meadow=pré m, fountain=fontaine f, crossroads/crossroads=carrefour m
    butcher's shop=boucherie f, gas station=station-service/stations-service f, car park=parking m, nest=nid m, cabin=cabane f`),
  body: readNouns(`
    head=tête f, hand=main f, foot/feet=pied m, arm=bras m, leg=jambe f, finger=doigt m, nose=nez m, mouth=bouche f
    eye=œil/yeux m, ear=oreille f, knee=genou/genoux m, shoulder=épaule f, back=dos m, neck=cou m, stomach=ventre m
    tooth/teeth=dent f, tongue=langue f, elbow=coude m, thumb=pouce m, chin=menton m, cheek=joue f, heart=cœur m
    ankle=cheville f, throat=gorge f, wrist=poignet m, forehead=front m, chest=poitrine f, heel=talon m, toe=orteil m`),
  weather: readNouns(`
    rain=pluie f, snow=neige f, wind=vent m, storm=orage m, sun=soleil m, fog=brouillard m, cloud=nuage m, thunder=tonnerre m
    lightning=foudre f, ice=glace f, heat=chaleur f, cold=froid m, moon=lune f, sky=ciel m, sea=mer f, fire=feu m
    darkness=obscurité f, dust=poussière f, sand=sable m, mud=boue f, smoke=fumée f, rainbow=arc-en-ciel m, drought=sécheresse f`),
  school: readNouns(`
    lesson=leçon f, exam=examen m, question=question f, answer=réponse f, word=mot m, sentence=phrase f, page=page f
    story=histoire f, song=chanson f, poem=poème m, game=jeu/jeux m, film=film m, movie=film m, play=pièce f, name=nom m
    number=nombre m, idea=idée f, problem=problème m, mistake=erreur f, secret=secret m, dream=rêve m, plan=projet m
    job=travail/travaux m, trip=voyage m, holiday=jour férié/jours fériés m, party=fête f, wedding=mariage m, meeting=réunion f
    language=langue f, recipe=recette f, list=liste f, address=adresse f, message=message m, promise=promesse f
    homework=devoirs m, speech=discours m, report=rapport m, appointment=rendez-vous/rendez-vous m, birthday=anniversaire m
    agreement=accord m, treaty=traité m, contract=contrat m, law=loi f, war=guerre f, peace=paix f, election=élection f`),
};

export const colourNouns = readNouns(`
  red=rouge m, blue=bleu m, green=vert m, yellow=jaune m, black=noir m, white=blanc m, brown=marron m, pink=rose m
  orange=orange m, purple=violet m, grey=gris m, gray=gris m, turquoise=turquoise m, beige=beige m`);

const aspirated = new Set(
  `haricot hibou hérisson hamster homard héros haut hamburger hall hache hyène hutte harpe hauteur haie huit onze huitième héron housse hangar`.split(
    ' ',
  ),
);

/** Whether le becomes l' before it. */
export const elides = (french) => {
  const [first] = french.toLowerCase().match(/^[\p{L}]+/u) ?? [''];
  if (aspirated.has(first) || aspirated.has(first.replace(/s$/, ''))) return false;
  return /^[aeiouhyàâéèêëîïôöùûüœ]/.test(first) && !/^(yaourt|yacht|ouistiti|oui)/.test(first);
};

export function englishPlural({ english, englishPlural: given }) {
  if (given) return given;
  if (/[^aeiou]y$/.test(english)) return `${english.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(english) ? `${english}es` : `${english}s`;
}

/** The last word of a noun phrase's noun, as the sentence has it. */
export const headOf = ({ noun, plural }) =>
  (plural ? englishPlural(noun) : noun.english).split(' ').at(-1);

export function frenchPlural({ french, frenchPlural: given }) {
  if (given) return given;
  if (/[sxz]$/.test(french)) return french;
  if (/(?<!b|c|n|v)al$/.test(french) || /(cheval|journal|hôpital|animal)$/.test(french))
    return `${french.slice(0, -2)}aux`;
  return /(eau|eu)$/.test(french) ? `${french}x` : `${french}s`;
}
