// French and English verbs in the forms that frames ask for. Persons: 0 je, 1 tu, 2 il, 3 nous, 4 vous, 5 ils.

// infinitive: present in six persons; participle; future stem; "être" where it is conjugated with it.
const irregular = new Map(
  Object.entries({
    être: ['suis es est sommes êtes sont', 'été', 'ser'],
    avoir: ['ai as a avons avez ont', 'eu', 'aur'],
    aller: ['vais vas va allons allez vont', 'allé', 'ir', 'être'],
    faire: ['fais fais fait faisons faites font', 'fait', 'fer'],
    voir: ['vois vois voit voyons voyez voient', 'vu', 'verr'],
    boire: ['bois bois boit buvons buvez boivent', 'bu', 'boir'],
    prendre: ['prends prends prend prenons prenez prennent', 'pris', 'prendr'],
    apprendre: ['apprends apprends apprend apprenons apprenez apprennent', 'appris', 'apprendr'],
    comprendre: [
      'comprends comprends comprend comprenons comprenez comprennent',
      'compris',
      'comprendr',
    ],
    mettre: ['mets mets met mettons mettez mettent', 'mis', 'mettr'],
    lire: ['lis lis lit lisons lisez lisent', 'lu', 'lir'],
    écrire: ['écris écris écrit écrivons écrivez écrivent', 'écrit', 'écrir'],
    dire: ['dis dis dit disons dites disent', 'dit', 'dir'],
    vouloir: ['veux veux veut voulons voulez veulent', 'voulu', 'voudr'],
    pouvoir: ['peux peux peut pouvons pouvez peuvent', 'pu', 'pourr'],
    devoir: ['dois dois doit devons devez doivent', 'dû', 'devr'],
    savoir: ['sais sais sait savons savez savent', 'su', 'saur'],
    connaître: ['connais connais connaît connaissons connaissez connaissent', 'connu', 'connaîtr'],
    venir: ['viens viens vient venons venez viennent', 'venu', 'viendr', 'être'],
    revenir: ['reviens reviens revient revenons revenez reviennent', 'revenu', 'reviendr', 'être'],
    tenir: ['tiens tiens tient tenons tenez tiennent', 'tenu', 'tiendr'],
    partir: ['pars pars part partons partez partent', 'parti', 'partir', 'être'],
    sortir: ['sors sors sort sortons sortez sortent', 'sorti', 'sortir', 'être'],
    dormir: ['dors dors dort dormons dormez dorment', 'dormi', 'dormir'],
    courir: ['cours cours court courons courez courent', 'couru', 'courr'],
    ouvrir: ['ouvre ouvres ouvre ouvrons ouvrez ouvrent', 'ouvert', 'ouvrir'],
    offrir: ['offre offres offre offrons offrez offrent', 'offert', 'offrir'],
    couvrir: ['couvre couvres couvre couvrons couvrez couvrent', 'couvert', 'couvrir'],
    vivre: ['vis vis vit vivons vivez vivent', 'vécu', 'vivr'],
    suivre: ['suis suis suit suivons suivez suivent', 'suivi', 'suivr'],
    recevoir: ['reçois reçois reçoit recevons recevez reçoivent', 'reçu', 'recevr'],
    conduire: ['conduis conduis conduit conduisons conduisez conduisent', 'conduit', 'conduir'],
    construire: [
      'construis construis construit construisons construisez construisent',
      'construit',
      'construir',
    ],
    peindre: ['peins peins peint peignons peignez peignent', 'peint', 'peindr'],
    servir: ['sers sers sert servons servez servent', 'servi', 'servir'],
    mourir: ['meurs meurs meurt mourons mourez meurent', 'mort', 'mourr', 'être'],
    cuire: ['cuis cuis cuit cuisons cuisez cuisent', 'cuit', 'cuir'],
    rire: ['ris ris rit rions riez rient', 'ri', 'rir'],
    craindre: ['crains crains craint craignons craignez craignent', 'craint', 'craindr'],
    cueillir: ['cueille cueilles cueille cueillons cueillez cueillent', 'cueilli', 'cueiller'],
    battre: ['bats bats bat battons battez battent', 'battu', 'battr'],
    envoyer: ['envoie envoies envoie envoyons envoyez envoient', 'envoyé', 'enverr'],
    jeter: ['jette jettes jette jetons jetez jettent', 'jeté', 'jetter'],
    coudre: ['couds couds coud cousons cousez cousent', 'cousu', 'coudr'],
    traire: ['trais trais trait trayons trayez traient', 'trait', 'trair'],
    sentir: ['sens sens sent sentons sentez sentent', 'senti', 'sentir'],
    mentir: ['mens mens ment mentons mentez mentent', 'menti', 'mentir'],
    endormir: ['endors endors endort endormons endormez endorment', 'endormi', 'endormir'],
    enfuir: ['enfuis enfuis enfuit enfuyons enfuyez enfuient', 'enfui', 'enfuir'],
    éteindre: ['éteins éteins éteint éteignons éteignez éteignent', 'éteint', 'éteindr'],
    plaindre: ['plains plains plaint plaignons plaignez plaignent', 'plaint', 'plaindr'],
    asseoir: ['assieds assieds assied asseyons asseyez asseyent', 'assis', 'assiér'],
    croire: ['crois crois croit croyons croyez croient', 'cru', 'croir'],
    décrire: ['décris décris décrit décrivons décrivez décrivent', 'décrit', 'décrir'],
    traduire: ['traduis traduis traduit traduisons traduisez traduisent', 'traduit', 'traduir'],
    détruire: ['détruis détruis détruit détruisons détruisez détruisent', 'détruit', 'détruir'],
    sourire: ['souris souris sourit sourions souriez sourient', 'souri', 'sourir'],
    promettre: ['promets promets promet promettons promettez promettent', 'promis', 'promettr'],
    appartenir: [
      'appartiens appartiens appartient appartenons appartenez appartiennent',
      'appartenu',
      'appartiendr',
    ],
    souvenir: ['souviens souviens souvient souvenons souvenez souviennent', 'souvenu', 'souviendr'],
    devenir: ['deviens deviens devient devenons devenez deviennent', 'devenu', 'deviendr', 'être'],
    disparaître: [
      'disparais disparais disparaît disparaissons disparaissez disparaissent',
      'disparu',
      'disparaîtr',
    ],
    reconnaître: [
      'reconnais reconnais reconnaît reconnaissons reconnaissez reconnaissent',
      'reconnu',
      'reconnaîtr',
    ],
    poursuivre: [
      'poursuis poursuis poursuit poursuivons poursuivez poursuivent',
      'poursuivi',
      'poursuivr',
    ],
    surprendre: [
      'surprends surprends surprend surprenons surprenez surprennent',
      'surpris',
      'surprendr',
    ],
    appeler: ['appelle appelles appelle appelons appelez appellent', 'appelé', 'appeller'],
  }),
);
const withBe = new Set(
  'arriver rester tomber entrer monter descendre rentrer retourner'.split(' '),
);

// An e or é before the last consonant of a stem, which becomes è before a mute ending: achète, célèbre.
const closing = /[eé](?=([bcdfglmnprstv]|ch|gn|gu|[bcdgptv]r)$)/;
const heavier = (stem) => stem.replace(closing, 'è');

function regular(infinitive) {
  const stem = infinitive.slice(0, -2);
  if (infinitive.endsWith('er')) {
    const graves = closing.test(stem);
    const mute = graves
      ? heavier(stem)
      : stem.endsWith('y') && !stem.endsWith('ay')
        ? `${stem.slice(0, -1)}i`
        : stem;
    const we = stem.endsWith('g')
      ? `${stem}eons`
      : stem.endsWith('c')
        ? `${stem.slice(0, -1)}çons`
        : `${stem}ons`;
    const future = graves && closing.exec(stem)[0] === 'é' ? `${stem}er` : `${mute}er`;
    return {
      present: [`${mute}e`, `${mute}es`, `${mute}e`, we, `${stem}ez`, `${mute}ent`],
      participle: `${stem}é`,
      future,
    };
  }
  if (infinitive.endsWith('ir'))
    return {
      present: ['is', 'is', 'it', 'issons', 'issez', 'issent'].map((end) => stem + end),
      participle: `${stem}i`,
      future: infinitive,
    };
  return {
    present: ['s', 's', '', 'ons', 'ez', 'ent'].map((end) => stem + end),
    participle: `${stem}u`,
    future: infinitive.slice(0, -1),
  };
}

/** Forms of an infinitive, perhaps a reflexive one: "se lever". */
export function french(infinitive) {
  const reflexive = /^(se |s')/.test(infinitive);
  const bare = infinitive.replace(/^(se |s')/, '');
  const given = irregular.get(bare);
  const forms = given
    ? { present: given[0].split(' '), participle: given[1], future: given[2] }
    : regular(bare);
  const imperfect = bare === 'être' ? 'ét' : forms.present[3].slice(0, -3);
  return {
    ...forms,
    infinitive: bare,
    reflexive,
    imperfect,
    isBe: reflexive || given?.[3] === 'être' || withBe.has(bare),
  };
}

const futureEnds = ['ai', 'as', 'a', 'ons', 'ez', 'ont'];
const imperfectEnds = ['ais', 'ais', 'ait', 'ions', 'iez', 'aient'];

export const futureOf = (verb, person) => verb.future + futureEnds[person];

export function imperfectOf({ imperfect }, person) {
  const soft = person === 3 || person === 4;
  const stem = soft ? imperfect.replace(/ge$/, 'g').replace(/ç$/, 'c') : imperfect;
  return stem + imperfectEnds[person];
}

export const auxiliary = (verb, person) =>
  irregular.get(verb.isBe ? 'être' : 'avoir')[0].split(' ')[person];

const englishIrregular = new Map(
  `be was been, have had had, do did done, go went gone, see saw seen, eat ate eaten, drink drank drunk, buy bought bought
   find found found, lose lost lost, take took taken, make made made, write wrote written, read read read, give gave given
   sell sold sold, bring brought brought, build built built, draw drew drawn, wear wore worn, break broke broken, hear heard heard
   forget forgot forgotten, choose chose chosen, hide hid hidden, steal stole stolen, drive drove driven, ride rode ridden
   sleep slept slept, run ran run, swim swam swum, sing sang sung, fall fell fallen, leave left left, come came come, sit sat sat
   stand stood stood, cut cut cut, feed fed fed, throw threw thrown, catch caught caught, wake woke woken, grow grew grown
   know knew known, understand understood understood, send sent sent, show showed shown, keep kept kept, hold held held
   put put put, shut shut shut, teach taught taught, win won won, pay paid paid, get got got, speak spoke spoken, fly flew flown
   hurt hurt hurt, lend lent lent, think thought thought, light lit lit, lie lay lain, meet met met, dig dug dug, begin began begun
   hang hung hung, sweep swept swept, sew sewed sewn, spend spent spent, shake shook shaken, ring rang rung, tear tore torn
   stick stuck stuck, sink sank sunk, rise rose risen, slide slid slid, feel felt felt, set set set, spread spread spread, hit hit hit
   cost cost cost, bleed bled bled, become became become, kneel knelt knelt, lead led led, sting stung stung, bend bent bent
   forgive forgave forgiven, beat beat beaten, shear sheared shorn, mow mowed mown, sow sowed sown, let let let
   blow blew blown, bite bit bitten, fight fought fought, shine shone shone, freeze froze frozen, tell told told, say said said`
    .split(/\s*[,\n]\s*/)
    .map((entry) => {
      const [base, past, participle] = entry.trim().split(' ');
      return [base, { past, participle }];
    }),
);

const doubled =
  /^(stop|plan|drop|chat|hug|knit|shop|rub|swim|run|sit|cut|put|shut|win|get|dig|begin|forget|chop|clap|grab|pat|wrap|step|trip|mop|hit|slip|skip|zip|drag|plug|peg|spin|trim|hop|beg|rob|nod|rip|tap|stir|set|jog|hum|scrub|let|prefer|unwrap)$/;

/** Of a verb perhaps with a particle: "wake up". */
export function english(verb) {
  const [base, ...rest] = verb.split(' ');
  const with_ = (form) => [form, ...rest].join(' ');
  const long = doubled.test(base) ? base + base.at(-1) : base;
  const ed = base.endsWith('e')
    ? `${base}d`
    : /[^aeiou]y$/.test(base)
      ? `${base.slice(0, -1)}ied`
      : `${long}ed`;
  const known = englishIrregular.get(base) ?? { past: ed, participle: ed };
  const third =
    base === 'have'
      ? 'has'
      : /[^aeiou]y$/.test(base)
        ? `${base.slice(0, -1)}ies`
        : /(s|x|z|ch|sh|o)$/.test(base)
          ? `${base}es`
          : `${base}s`;
  const ing = base.endsWith('ie')
    ? `${base.slice(0, -2)}ying`
    : /[^eo]e$/.test(base)
      ? `${base.slice(0, -1)}ing`
      : `${long}ing`;
  return {
    base: verb,
    third: with_(third),
    past: with_(known.past),
    participle: with_(known.participle),
    ing: with_(ing),
  };
}
