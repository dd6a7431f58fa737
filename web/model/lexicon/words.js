// Greetings, days, months, countries, languages and single words, and names that nobody has.
export const greetings =
  `hello=bonjour, hi=salut, good morning=bonjour, good evening=bonsoir, good night=bonne nuit, goodbye=au revoir
  bye=salut, see you tomorrow=à demain, see you soon=à bientôt, thank you=merci, thanks=merci, thank you very much=merci beaucoup
  please=s'il vous plaît, sorry=désolé, excuse me=excusez-moi, yes=oui, no=non, maybe=peut-être, welcome=bienvenue, of course=bien sûr
  happy birthday=joyeux anniversaire, merry christmas=joyeux Noël, happy new year=bonne année, congratulations=félicitations
  good luck=bonne chance, enjoy your meal=bon appétit, cheers=santé, how are you=comment vas-tu, how are you=comment allez-vous
  good afternoon=bonjour, good day=bonjour, see you later=à plus tard, see you on Monday=à lundi, have a nice day=bonne journée
  have a good trip=bon voyage, get well soon=bon rétablissement, you are welcome=de rien, no thanks=non merci, nice to meet you=enchanté
  what's your name=comment t'appelles-tu, what's up=quoi de neuf, I'm fine=je vais bien, today=aujourd'hui, tomorrow=demain
  yesterday=hier, now=maintenant, always=toujours, never=jamais, often=souvent, here=ici, there=là, everywhere=partout, nothing=rien
  something=quelque chose, everyone=tout le monde, nobody=personne, why=pourquoi, when=quand, where=où, who=qui, how=comment, what=quoi
  help=à l'aide, stop=arrêtez, wait=attendez, look=regardez, listen=écoutez, left=gauche, right=droite, open=ouvert, closed=fermé
  in the morning=le matin, at night=la nuit, last week=la semaine dernière, next year=l'année prochaine, every day=tous les jours`
    .split(/\s*[,\n]\s*/)
    .map((entry) => entry.split('='));

export const days =
  `Monday=lundi,Tuesday=mardi,Wednesday=mercredi,Thursday=jeudi,Friday=vendredi,Saturday=samedi,Sunday=dimanche`
    .split(',')
    .map((entry) => entry.split('='));
export const months =
  `January=janvier,February=février,March=mars,April=avril,May=mai,June=juin,July=juillet,August=août,September=septembre,October=octobre,November=novembre,December=décembre`
    .split(',')
    .map((entry) => entry.split('='));

/** With the preposition of "in" and of "to". */
export const countries =
  `France=en France, Germany=en Allemagne, Italy=en Italie, Spain=en Espagne, Portugal=au Portugal, Belgium=en Belgique
  Switzerland=en Suisse, England=en Angleterre, Scotland=en Écosse, Ireland=en Irlande, Norway=en Norvège, Sweden=en Suède, Finland=en Finlande
  Denmark=au Danemark, Poland=en Pologne, Russia=en Russie, Greece=en Grèce, Turkey=en Turquie, Egypt=en Égypte, Morocco=au Maroc
  Algeria=en Algérie, Tunisia=en Tunisie, Senegal=au Sénégal, Kenya=au Kenya, South Africa=en Afrique du Sud, Nigeria=au Nigeria, Ghana=au Ghana
  China=en Chine, Japan=au Japon, India=en Inde, Brazil=au Brésil, Argentina=en Argentine, Mexico=au Mexique, Canada=au Canada, Peru=au Pérou
  Australia=en Australie, the United States=aux États-Unis, the Netherlands=aux Pays-Bas, Vietnam=au Vietnam, Korea=en Corée, Chile=au Chili
  Ethiopia=en Éthiopie, Mali=au Mali, Cameroon=au Cameroun, Iceland=en Islande, Austria=en Autriche, Hungary=en Hongrie, Ukraine=en Ukraine
  Africa=en Afrique, Europe=en Europe, Asia=en Asie, South America=en Amérique du Sud, Paris=à Paris, London=à Londres, Rome=à Rome
  Brussels=à Bruxelles, Geneva=à Genève, Vienna=à Vienne, Lisbon=à Lisbonne, Athens=à Athènes, Moscow=à Moscou, Beijing=à Pékin, Cairo=au Caire
  Barcelona=à Barcelone, Venice=à Venise, Edinburgh=à Édimbourg, Algiers=à Alger, Warsaw=à Varsovie, New York=à New York`
    .split(/\s*[,\n]\s*/)
    .map((entry) => entry.split('='));

export const languages =
  `French=français, English=anglais, Spanish=espagnol, German=allemand, Italian=italien, Portuguese=portugais, Russian=russe
  Arabic=arabe, Chinese=chinois, Japanese=japonais, Dutch=néerlandais, Polish=polonais, Turkish=turc, Greek=grec, Swahili=swahili
  Swedish=suédois, Hindi=hindi, Latin=latin, Korean=coréen, Norwegian=norvégien, Finnish=finnois, Wolof=wolof`
    .split(/\s*[,\n]\s*/)
    .map((entry) => entry.split('='));

/** Bodies that agreements are about or signed by. */
export const bodies =
  `the European Union=l'Union européenne, the United Nations=les Nations unies, the World Bank=la Banque mondiale
  the European Economic Area=l'Espace économique européen, the African Union=l'Union africaine, the Red Cross=la Croix-Rouge
  the Council of Europe=le Conseil de l'Europe, the European Parliament=le Parlement européen, the Supreme Court=la Cour suprême
  the Ministry of Health=le ministère de la Santé, the North Sea=la mer du Nord, the Atlantic Ocean=l'océan Atlantique, free trade=le libre-échange
  the single market=le marché unique, the environment=l'environnement, climate change=le changement climatique, nuclear weapons=les armes nucléaires
  human rights=les droits de l'homme, the Black Sea=la mer Noire, fishing=la pêche, the world economy=l'économie mondiale
  the economic crisis=la crise économique, the European Commission=la Commission européenne, the rural area=la zone rurale`
    .split(/\s*[,\n]\s*/)
    .map((entry) => entry.split('='));

const consonants = [
  ...'bcdfgklmnprstvz',
  'ch',
  'br',
  'st',
  'tr',
  'kr',
  'th',
  'sch',
  'dj',
  'nd',
  'mb',
  'sh',
  'w',
  'j',
  'h',
  'x',
  'ñ',
  'ž',
  'ł',
  'ш',
];
const vowels = [...'aeiou', 'ai', 'ou', 'ia', 'ee', 'y', 'é', 'ö', 'ā', 'ø'];

/** A name nobody has: two to four syllables, so that what is unknown is learnt to be copied. */
export function inventedName(random, vowelFirst) {
  const from = (list) => list[Math.floor(random() ** 1.5 * list.length)];
  let text = vowelFirst ? from(vowels) : '';
  for (let n = random() < 0.5 ? 2 : random() < 0.8 ? 3 : 4; n > 0; n--)
    text += from(consonants) + from(vowels);
  if (random() < 0.4) text += from(consonants);
  return text[0].toUpperCase() + text.slice(1);
}

const placeEnds = [
  'ville',
  'stadt',
  'burg',
  'ton',
  'ia',
  'o',
  'ova',
  'heim',
  'ford',
  'bad',
  'pur',
  'illes',
  'anne',
  'oux',
];

/** A town nobody knows. */
export const inventedPlace = (random) =>
  inventedName(random, random() < 0.1) + placeEnds[Math.floor(random() * placeEnds.length)];
