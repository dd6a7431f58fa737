// What is not English comes out as it went in: words of other languages, French itself, symbols, sums, codes.
import { chance, pick } from './phrases.js';

const others =
  `ich habe das nicht verstanden und wir gehen heute nach Hause weil der Hund sehr müde ist aber morgen kommt meine Schwester mit ihrem kleinen Sohn zu uns die Katze schläft auf dem Tisch wo ist denn dein Buch guten Abend vielen Dank schöne Grüße
yo no quiero comer pan con queso porque tengo mucha hambre pero mañana vamos a la playa con mis hermanos dónde está la casa de tu abuela el perro negro duerme debajo del árbol buenos días muchas gracias qué tiempo hace hoy
io non capisco perché il gatto dorme sempre sulla sedia della cucina domani andiamo al mare con gli amici dove sono le mie scarpe buongiorno grazie mille che bella giornata oggi mangiamo pasta e beviamo vino rosso
eu gosto muito de café com leite e pão mas hoje não tenho tempo porque minha irmã chega amanhã de manhã onde fica a estação bom dia obrigado você fala português o menino está brincando no jardim
ik heb geen tijd want mijn broer komt vandaag uit school waar is het boek dat jij gisteren hebt gelezen goedemorgen dank je wel de hond slaapt op de vloer en wij drinken thee
mimi ninapenda kusoma kitabu nyumbani lakini leo hakuna maji habari ya asubuhi asante sana mtoto anacheza na mbwa mdogo tunakwenda sokoni kesho jambo rafiki yangu chakula kizuri
benim adım çok güzel bir ev ama bugün hava soğuk yarın okula gidiyoruz kedi masanın altında uyuyor günaydın teşekkür ederim nerede oturuyorsun çocuk bahçede oynuyor
jag tycker om att läsa böcker men idag är det kallt och vi går hem var är min katt god morgon tack så mycket hunden sover under bordet vi dricker kaffe imorgon
nie wiem gdzie jest mój pies ale dzisiaj jest zimno i pada deszcz dzień dobry dziękuję bardzo kot śpi na stole jutro idziemy do szkoły mam dwa jabłka i chleb
saya tidak tahu di mana buku itu tetapi hari ini kami pergi ke pasar selamat pagi terima kasih anjing kecil tidur di bawah meja anak itu bermain di kebun air dan nasi
minä en tiedä missä kissa on mutta tänään on kylmä ja me menemme kotiin hyvää huomenta kiitos paljon koira nukkuu pöydän alla juomme kahvia huomenna
lorem ipsum dolor sit amet consectetur adipiscing elit gallia est omnis divisa in partes tres arma virumque cano veni vidi vici cogito ergo sum carpe diem puella rosam amat
nk bɛ taa so la i ni ce aw ni sogoma ndax dem nga ca marse ba jërëjëf waaw déedéet nanga def maa ngi fi rekk ẹ káàárọ̀ báwo ni o ṣé púpọ̀ mo fẹ́ jẹun ọmọ náà ń ṣeré`
    .split('\n')
    .map((line) => line.split(' '));
const scripts = [
  'абвгдежзиклмнопрстуфхя',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'あいうえおかきくけこさしすせそたちつてとなにのはまみもやゆよらりるれわをん',
  '我你他是不的人在有这中大来上国个到说们好',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  'אבגדהוזחטיכלמנסעפצקרשת',
  'กขคงจชซดตถทนบปผพมยรลวสห',
];
const marks = [...'+-*/=<>#@%&()[]{}!?.:;,~^_|$€£°§→★♥✓😀🎉🐈🚀👍🌍'];

const digitsOf = (random, most) => String(Math.floor(random() ** 2 * 10 ** most) + 1);
const capitalised = (text) => text[0].toUpperCase() + text.slice(1);
const some = (random, least, most) => least + Math.floor(random() * (most - least + 1));

/** The same on both sides. frenchPairs: French sentences, which are French already. */
export function copy(random, frenchSentence) {
  const draw = random();
  let text;
  if (draw < 0.4) {
    const words = pick(random, others);
    const start = Math.floor(random() * words.length);
    text = words.slice(start, start + some(random, 2, 9)).join(' ');
    if (chance(random, 0.5)) text = capitalised(text);
    if (chance(random, 0.5)) text += pick(random, ['.', '!', '.']);
  } else if (draw < 0.7 && frenchSentence) text = frenchSentence;
  else if (draw < 0.78) {
    const script = [...pick(random, scripts)];
    const words = Array.from({ length: some(random, 1, 3) }, () =>
      Array.from({ length: some(random, 1, 4) }, () => pick(random, script)).join(''),
    );
    text = words.join(' ');
  } else if (draw < 0.86)
    text = Array.from({ length: some(random, 1, 6) }, () => pick(random, marks)).join(
      chance(random, 0.3) ? ' ' : '',
    );
  else if (draw < 0.93) {
    const [a, b] = [digitsOf(random, 4), digitsOf(random, 3)];
    text = pick(random, [
      `${a} + ${b} = ${Number(a) + Number(b)}`,
      `${a} - ${b}`,
      `${a} x ${b}`,
      `${a}:${b}`,
      `${a}.${b}`,
      `${a}%`,
      `(${a}, ${b})`,
      `${a} / ${b}`,
      `${a}-${b}-${a}`,
    ]);
  } else {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHKLMNPRSTXYZ0123456789';
    const code = Array.from({ length: some(random, 2, 8) }, () => pick(random, letters)).join('');
    text = pick(random, [
      code,
      `${code}@mail.org`,
      `www.${code.toLowerCase()}.com`,
      `${code}-${digitsOf(random, 3)}`,
      `#${code}`,
    ]);
  }
  return { english: text, french: text };
}
