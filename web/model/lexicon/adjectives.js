// Everyday adjectives: english=masculine[/feminine[/masculine plural]]. `before` the noun, after it, or of whom.

export const readAdjectives = (text, more = {}) =>
  text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map((entry) => {
      const [english, given] = entry.split('=');
      const early = given.endsWith('^'); // before the noun, of a kind that stands after it
      const french = given.replace('^', '');
      const [masculine, feminine = feminineOf(masculine), plural = pluralOf(masculine)] =
        french.split('/');
      const feminines = feminine === masculine && masculine === plural ? plural : `${feminine}s`;
      return {
        english,
        masculine,
        feminine,
        plural,
        feminines,
        ...more,
        ...(early && { before: true }),
      };
    });

function feminineOf(masculine) {
  if (masculine.endsWith('e')) return masculine;
  if (masculine.endsWith('eux')) return `${masculine.slice(0, -1)}se`;
  if (masculine.endsWith('if')) return `${masculine.slice(0, -1)}ve`;
  if (masculine.endsWith('er')) return `${masculine.slice(0, -2)}ère`;
  if (/(el|eil|en|on|et)$/.test(masculine) && !/(complet|discret|inquiet|secret)$/.test(masculine))
    return `${masculine}${masculine.at(-1)}e`;
  if (/(complet|discret|inquiet|secret)$/.test(masculine)) return `${masculine.slice(0, -2)}ète`;
  return `${masculine}e`;
}

const pluralOf = (masculine) =>
  /[sx]$/.test(masculine)
    ? masculine
    : /al$/.test(masculine)
      ? `${masculine.slice(0, -2)}aux`
      : /eau$/.test(masculine)
        ? `${masculine}x`
        : `${masculine}s`;

export const adjectives = {
  colour: readAdjectives(`
    red=rouge, blue=bleu, green=vert, yellow=jaune, black=noir, white=blanc/blanche, brown=marron/marron/marron
    pink=rose, orange=orange/orange/orange, purple=violet/violette, grey=gris, gray=gris, golden=doré, silver=argenté
    light blue=bleu clair/bleu clair/bleu clair, dark green=vert foncé/vert foncé/vert foncé, turquoise=turquoise/turquoise/turquoise
    dark blue=bleu foncé/bleu foncé/bleu foncé, beige=beige, striped=rayé, multicoloured=multicolore`),
  size: readAdjectives(
    `big=grand, small=petit, little=petit, large=grand, old=vieux/vieille, new=nouveau/nouvelle, beautiful=beau/belle
     pretty=joli, good=bon, bad=mauvais, nice=joli, young=jeune, huge=énorme, tiny=minuscule, long=long/longue`,
    { before: true },
  ),
  thing: readAdjectives(`
    round=rond, square=carré, heavy=lourd, light=léger, expensive=cher, cheap=bon marché/bon marché/bon marché, clean=propre, dirty=sale
    broken=cassé, empty=vide, full=plein, hard=dur, soft=doux/douce, strange=étrange, wooden=en bois/en bois/en bois
    useful=utile, useless=inutile, short=court, wet=mouillé, dry=sec/sèche, modern=moderne, strong=solide, fragile=fragile, shiny=brillant
    plastic=en plastique/en plastique/en plastique, metal=en métal/en métal/en métal, glass=en verre/en verre/en verre
    antique=ancien, Chinese=chinois, French=français, Italian=italien, Japanese=japonais, German=allemand, African=africain
    Spanish=espagnol, Russian=russe, Turkish=turc/turque, Indian=indien, comfortable=confortable, rusty=rouillé
    magic=magique, thick=épais/épaisse, thin=mince, sharp=tranchant, electric=électrique, woollen=en laine/en laine/en laine`),
  person: readAdjectives(`
    tall=grand, tired=fatigué, happy=heureux, sad=triste, angry=en colère/en colère/en colère, hungry=affamé, sick=malade
    kind=gentil/gentille, clever=intelligent, stupid=stupide, rich=riche, poor=pauvre, strong=fort, weak=faible, lazy=paresseux
    brave=courageux, shy=timide, polite=poli, rude=impoli, famous=célèbre, blind=aveugle, deaf=sourd, funny=drôle
    lonely=seul, curious=curieux, jealous=jaloux/jalouse, nervous=nerveux, calm=calme, busy=occupé, proud=fier, quiet=silencieux
    thin=mince, fat=gros/grosse^, worried=inquiet, surprised=surpris, bald=chauve, blond=blond, patient=patient, honest=honnête
    greedy=gourmand, clumsy=maladroit, generous=généreux, selfish=égoïste, wise=sage, stubborn=têtu, naughty=vilain
    injured=blessé, pregnant=enceinte/enceinte, cruel=cruel, serious=sérieux, friendly=sympathique, bored=ennuyé, thirsty=assoiffé`),
  animal: readAdjectives(`
    wild=sauvage, tame=apprivoisé, hungry=affamé, lost=perdu, fast=rapide, slow=lent, dangerous=dangereux, injured=blessé, fat=gros/grosse^
    fierce=féroce, lazy=paresseux, clever=malin/maligne, thin=maigre, noisy=bruyant, dead=mort, sick=malade, furry=poilu, blind=aveugle`),
  food: readAdjectives(`
    ripe=mûr, sweet=sucré, sour=acide, fresh=frais/fraîche, rotten=pourri, cold=froid, hot=chaud, delicious=délicieux, juicy=juteux
    salty=salé, bitter=amer/amère, spicy=épicé, raw=cru, cooked=cuit, frozen=congelé, tasty=savoureux, warm=chaud, dried=séché, fried=frit`),
  place: readAdjectives(`
    quiet=calme, noisy=bruyant, crowded=bondé, closed=fermé, open=ouvert, empty=vide, dark=sombre, modern=moderne, famous=célèbre
    dangerous=dangereux, clean=propre, dirty=sale, haunted=hanté, narrow=étroit, wide=large, abandoned=abandonné, peaceful=paisible`),
};

const before = new Map([
  ['beau', 'bel'],
  ['nouveau', 'nouvel'],
  ['vieux', 'vieil'],
]);

/** The form that agrees, and before a vowel "bel", "nouvel", "vieil". */
export function agree(adjective, { feminine, plural, beforeVowel }) {
  if (plural) return feminine ? adjective.feminines : adjective.plural;
  if (feminine) return adjective.feminine;
  return (beforeVowel && before.get(adjective.masculine)) || adjective.masculine;
}
