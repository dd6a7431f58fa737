// When and where things happen, in both languages, and the tenses that go with it.
import { chance, pick } from './phrases.js';
import { months } from './words.js';

export const split = (text) => text.split(/\s*[,\n]\s*/).map((entry) => entry.split('='));

export const modals = [
  [['can'], ["can't"], 'pouvoir'],
  [['must'], ['must not'], 'devoir'],
  [['have to', 'has to'], ["don't have to", "doesn't have to"], null],
  [['want to', 'wants to'], ["don't want to", "doesn't want to"], 'vouloir'],
  [['like to', 'likes to'], ["don't like to", "doesn't like to"], 'aimer'],
  [['should'], ["shouldn't"], 'devoir', true],
  [['would like to'], ['would not like to'], 'vouloir', true],
  [['could'], ["couldn't"], 'pouvoir', true],
  [['hate to', 'hates to'], null, 'détester'],
  [['hope to', 'hopes to'], null, 'espérer'],
  [['love to', 'loves to'], null, 'adorer'],
];

export const before =
  split(`yesterday=hier, last night=hier soir, this morning=ce matin, last week=la semaine dernière, last year=l'année dernière
  two days ago=il y a deux jours, a month ago=il y a un mois, last summer=l'été dernier, an hour ago=il y a une heure, on Sunday=dimanche
  yesterday evening=hier soir, last Monday=lundi dernier, three years ago=il y a trois ans, in March=en mars, last winter=l'hiver dernier`);

export const later =
  split(`tomorrow=demain, tonight=ce soir, next week=la semaine prochaine, next year=l'année prochaine, this evening=ce soir
  in two hours=dans deux heures, in a month=dans un mois, this weekend=ce week-end, tomorrow morning=demain matin, soon=bientôt
  next month=le mois prochain, on Friday=vendredi, this summer=cet été, the day after tomorrow=après-demain, in ten minutes=dans dix minutes`);

export const habits =
  split(`every day=tous les jours, every morning=tous les matins, on Sundays=le dimanche, in the evening=le soir, every week=chaque semaine
  at night=la nuit, every year=chaque année, in winter=en hiver, in summer=en été, in spring=au printemps, in autumn=en automne`);

export const now = split(
  `now=maintenant, right now=en ce moment, today=aujourd'hui, this morning=ce matin, at the moment=en ce moment`,
);

export const spots =
  split(`in the kitchen=dans la cuisine, in the garden=dans le jardin, at school=à l'école, at home=à la maison, at the market=au marché
  in the street=dans la rue, on the beach=sur la plage, by the river=au bord de la rivière, in the forest=dans la forêt, at work=au travail
  under the tree=sous l'arbre, in front of the house=devant la maison, behind the school=derrière l'école, near the church=près de l'église
  in town=en ville, in the park=dans le parc, at the station=à la gare, on the train=dans le train, in the rain=sous la pluie, in bed=au lit
  next to the window=à côté de la fenêtre, on the roof=sur le toit, in the snow=dans la neige, with friends=avec des amis, alone=seul_
  upstairs=à l'étage, outside=dehors, at the hospital=à l'hôpital, in the office=au bureau, in the mountains=à la montagne, on a farm=dans une ferme
  in the village=au village, across the street=de l'autre côté de la rue, around the fire=autour du feu, under the bridge=sous le pont`).filter(
    ([, there]) => !there.endsWith('_'),
  );

/** A tense of both languages with what goes with it. */
export function tenseOf(random, verb) {
  const draw = random();
  const still = /^(like|love|want|need|know|hate|have|understand|forget)$/.test(verb.english.base);
  if (draw < 0.2) return { english: 'present', french: 'present', when: habits };
  if (draw < 0.35)
    return still
      ? { english: 'present', french: 'present', when: habits }
      : { english: 'progressive', french: 'present', when: now };
  if (draw < 0.62)
    return still
      ? { english: 'past', french: 'imperfect', when: [] }
      : { english: 'past', french: 'past', when: before };
  if (draw < 0.67)
    return still
      ? { english: 'present', french: 'present', when: habits }
      : { english: 'perfect', french: 'past', when: [] };
  if (draw < 0.72)
    return still
      ? { english: 'past', french: 'imperfect', when: [] }
      : { english: 'wasDoing', french: 'imperfect', when: [] };
  if (draw < 0.8) return { english: 'future', french: 'future', when: later };
  if (draw < 0.86) return { english: 'soon', french: 'soon', when: later };
  const [affirmed, denied, modal, conditional] = pick(
    random,
    modals.filter(([, , verb_]) => verb_),
  );
  const form = (forms) => (third) => forms[third ? forms.length - 1 : 0];
  return {
    english: { english: form(affirmed), negated: form(denied ?? affirmed) },
    french: { modal, conditional },
    when: [],
    onlyAffirmed: !denied,
  };
}

/** A month may stand for any time but now. */
const drawn = (random, list) => {
  if (list === now || list === spots || chance(random, 0.8)) return pick(random, list);
  const [english, french] = pick(random, months);
  return [`in ${english}`, `en ${french}`];
};

export const rest = (random, lists) => {
  const parts = lists
    .filter((list) => list.length > 0 && chance(random, 0.3))
    .slice(0, 2)
    .map((list) => drawn(random, list));
  return { english: parts.map(([x]) => x).join(' '), french: parts.map(([, x]) => x).join(' ') };
};
