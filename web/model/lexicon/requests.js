// Frames: questions and requests.
import { agree } from './adjectives.js';
import { anything, objectOf } from './clauses.js';
import { nouns } from './nouns.js';
import { chance, of, phrase, pick, to } from './phrases.js';
import { split } from './times.js';
import { transitive } from './verbs.js';

export function whereIs(random) {
  const what = anything(random, { determiners: ['the', 'own', 'this'], described: 0.4 });
  const verb = what.plural ? 'are' : 'is';
  return pick(random, [
    {
      english: `where ${verb} ${what.english}`,
      french: `où ${what.plural ? 'sont' : 'est'} ${what.french}`,
      mark: '?',
    },
    { english: `do you see ${what.english}`, french: `vois-tu ${what.french}`, mark: '?' },
    { english: `I can't find ${what.english}`, french: `je ne trouve pas ${what.french}` },
    { english: `I'm looking for ${what.english}`, french: `je cherche ${what.french}` },
    {
      english: `how much ${what.plural ? 'do' : 'does'} ${what.english} cost`,
      french: `combien ${what.plural ? 'coûtent' : 'coûte'} ${what.french}`,
      mark: '?',
    },
    { english: `have you seen ${what.english}`, french: `as-tu vu ${what.french}`, mark: '?' },
    { english: `look at ${what.english}`, french: `regarde ${what.french}` },
    {
      english: `don't touch ${what.english}`,
      french: `ne touche pas ${what.french}`.replace(
        /touche pas (.*)/,
        (_, x) => `touche pas ${to(x)}`,
      ),
    },
    { english: `who took ${what.english}`, french: `qui a pris ${what.french}`, mark: '?' },
    { english: `show me ${what.english}`, french: `montre-moi ${what.french}` },
    {
      english: `can you give me ${what.english}`,
      french: `peux-tu me donner ${what.french}`,
      mark: '?',
    },
    { english: `I need ${what.english}`, french: `j'ai besoin ${of(what.french)}` },
    {
      english: `what a pity, ${what.english} ${verb} too old`,
      french: `quel dommage, ${what.french} ${what.plural ? 'sont' : 'est'} trop ${agree({ masculine: 'vieux', feminine: 'vieille', plural: 'vieux', feminines: 'vieilles' }, what)}`,
    },
  ]);
}

export function asks(random) {
  const verb = pick(random, transitive);
  const object = objectOf(random, verb);
  const forms = verb.french;
  if (forms.reflexive) return asks(random);
  const you = chance(random, 0.6) ? 1 : 4;
  const who = you === 1 ? 'tu' : 'vous';
  const past =
    chance(random, 0.4) && !/^(like|love|want|need|know|hate|have)$/.test(verb.english.base);
  const question = pick(random, ['', '', '', 'why=pourquoi', 'when=quand', 'where=où']).split('=');
  const [ask, demande] = question.length === 2 ? question : ['', ''];
  const inverted = past
    ? `${['', 'as', '', '', 'avez'][you]}-${who} ${forms.participle} ${object.french}`
    : `${forms.present[you]}-${who} ${object.french}`;
  return {
    english: [ask, past ? 'did' : 'do', 'you', verb.english.base, object.english]
      .filter(Boolean)
      .join(' '),
    french: [demande, inverted].filter(Boolean).join(' '),
    mark: '?',
  };
}

export const commands = split(
  `open=ouvre=ouvrez, close=ferme=fermez, take=prends=prenez, bring me=apporte-moi=apportez-moi, give me=donne-moi=donnez-moi, look for=cherche=cherchez, wash=lave=lavez, clean=nettoie=nettoyez, put down=pose=posez, keep=garde=gardez, draw=dessine=dessinez, pass me=passe-moi=passez-moi, sell=vends=vendez, follow=suis=suivez`,
);

export const order = (random) => {
  const [english, ...forms] = pick(random, commands);
  const kind =
    english === 'open' || english === 'close'
      ? pick(random, ['thing'])
      : /wash|clean/.test(english)
        ? pick(random, ['clothes', 'vehicle', 'house'])
        : english === 'follow'
          ? pick(random, ['person', 'animal', 'vehicle'])
          : pick(random, ['thing', 'clothes', 'food']);
  const noun =
    english === 'open' || english === 'close'
      ? pick(
          random,
          [...nouns.house, ...nouns.thing].filter((n) =>
            /^(door|window|gate|box|suitcase|book|bottle|drawer|curtain|cupboard|umbrella|letter|bag|envelope|wardrobe)$/.test(
              n.english,
            ),
          ),
        )
      : pick(random, nouns[kind]);
  const what = phrase(random, kind, noun, {
    determiners: ['the', 'the', 'own', 'this', 'a'],
    described: 0.3,
  });
  const please = chance(random, 0.35) ? ', please' : '';
  const form = pick(random, forms);
  const polite = please ? (form === forms[1] ? ", s'il vous plaît" : ", s'il te plaît") : '';
  return {
    english: `${english} ${what.english}${please}`,
    french: `${form} ${what.french}${polite}`,
    mark: pick(random, ['.', '.', '!']),
  };
};
