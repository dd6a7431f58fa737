// Frames: pronouns after prepositions, and those before a participle, which agrees with them.
import { agree } from './adjectives.js';
import { ofKind } from './clauses.js';
import { said, suited } from './doings.js';
import { adjectiveFor } from './long_subjects.js';
import { chance, elided, pick } from './phrases.js';
import { split } from './times.js';

const past = ['past', 'past'];
const stressed = split(
  'me=moi, you=toi, you=vous, him=lui, her=elle, us=nous, them=eux, them=elles',
);
const withPronoun = split(
  'with {x}=avec {x}, without {x}=sans {x}, for {x}=pour {x}, behind {x}=derrière {x}, because of {x}=à cause de {x}, in front of {x}=devant {x}, after {x}=après {x}, next to {x}=à côté de {x}, near {x}=près de {x}, at {x} place=chez {x}',
);

export function withWhom(random) {
  const [them, eux] = pick(random, stressed);
  const [english, french] = pick(random, withPronoun);
  const { subject, predicate } = suited(random, 0.85);
  const own = { me: 'my', you: 'your', him: 'his', her: 'her', us: 'our', them: 'their' }[them];
  const put = french.endsWith('de {x}')
    ? french.replace('de {x}', elided('de', eux))
    : french.replace('{x}', eux);
  if (chance(random, 0.25)) {
    const [talk, parler] = pick(
      random,
      split(
        "I dreamt of {x}=j'ai rêvé de {x}, she talked about {x}=elle a parlé de {x}, we have news from {x}=nous avons des nouvelles de {x}, he is afraid of {x}=il a peur de {x}, I need {x}=j'ai besoin de {x}, they are jealous of {x}=ils sont jaloux de {x}, we haven't heard from {x}=nous n'avons pas eu de nouvelles de {x}, she thinks of {x}=elle pense à {x}, I remember {x}=je me souviens de {x}",
      ),
    );
    return {
      english: talk.replace('{x}', them),
      french: parler.replace('de {x}', elided('de', eux)).replace('{x}', eux),
    };
  }
  return said(
    subject,
    predicate,
    pick(random, [past, ['future', 'future'], ['progressive', 'present']]),
    {
      when: [english.replace('at {x}', `at ${own}`).replace('{x}', them), put],
    },
  );
}

/** "The letters that she wrote are lost; I read them": participles that agree with what stands before. */
export function agreesBefore(random) {
  const kind = pick(random, ['thing', 'thing', 'clothes', 'food']);
  const what = ofKind(random, kind, {
    determiners: ['the', 'the', 'own'],
    described: 0.2,
    plural: chance(random, 0.4),
  });
  const [english, french] = pick(
    random,
    split(
      'lost=perdu, bought=acheté, found=trouvé, sold=vendu, hid=caché, forgot=oublié, broke=cassé, gave him=donné, repaired=réparé, cleaned=nettoyé, stole=volé, chose=choisi, washed=lavé, put on the table=mis sur la table, opened=ouvert, threw away=jeté, sent=envoyé',
    ),
  );
  const subject = pick(random, [
    ['I', "j'", 'ai'],
    ['she', 'elle ', 'a'],
    ['he', 'il ', 'a'],
    ['we', 'nous ', 'avons'],
    ['they', 'ils ', 'ont'],
    ['my brother', 'mon frère ', 'a'],
  ]);
  const e = `${what.feminine ? 'e' : ''}${what.plural && !/s$/.test(french.split(' ')[0]) ? 's' : what.plural && what.feminine ? 's' : ''}`;
  const [stem, ...tail] = french.split(' ');
  const formed = [stem + e, ...tail].join(' ');
  const { plural } = what;
  const them = plural ? 'them' : 'it';
  const [is, est] = plural ? ['are', 'sont'] : ['is', 'est'];
  const adjective = adjectiveFor(random, kind);
  const who = subject[1];
  const him = english === 'gave him' ? 'lui ' : '';
  const separable = /^(put|gave|threw)/.test(english);
  const that = /^[jei]/.test(who.trim()) && !who.startsWith('j') ? "qu'" : 'que ';
  const relative = him
    ? `${that}${who.replace("j'", 'je ')}${him}${subject[2]} ${formed}`
    : `${that}${who}${subject[2]} ${formed}`;
  const taken = separable
    ? english.replace(/^(put|threw) /, `$1 ${them} `).replace('gave him', `gave ${them} to him`)
    : `${english} ${them}`;
  const object = plural ? 'les ' : "l'";
  const two = `${who.replace("j'", 'je ').replace('mon frère', 'il')}${object}${him && `${him}`}${subject[2]} ${formed}`;
  return pick(random, [
    {
      english: `${what.english} that ${subject[0]} ${english} ${is} ${adjective.english}`,
      french: `${what.french} ${relative} ${est} ${agree(adjective, what)}`,
    },
    {
      english: `where ${is} ${what.english}? ${subject[0] === 'I' ? 'I' : subject[0][0].toUpperCase() + subject[0].slice(1)} ${taken}`,
      french: `où ${est} ${what.french} ? ${two[0].toUpperCase() + two.slice(1)}`,
      skip: Boolean(him),
    },
    {
      english: `${subject[0]} took ${what.english} and ${taken}`,
      french: `${who}${subject[2]} pris ${what.french} et ${who.replace("j'", 'je ').replace('mon frère', 'il')}${object}${subject[2]} ${formed}`,
      skip: Boolean(him),
    },
  ]);
}
