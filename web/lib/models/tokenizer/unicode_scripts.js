// Segments of a text that are written in one script: Hiragana, Katakana and Han count as one, as in SentencePiece; spaces
// belong to any.

const scripts = /* @__PURE__ */ (() =>
  (
    'Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo ' +
    'Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Common Coptic ' +
    'Cuneiform Cypriot Cyrillic Deseret Devanagari Duployan Egyptian_Hieroglyphs Elbasan Ethiopic Georgian Glagolitic ' +
    'Gothic Grantha Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited ' +
    'Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kayah_Li Kharoshthi Khmer Khojki ' +
    'Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Malayalam Mandaic Manichaean ' +
    'Marchen Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar ' +
    'Nabataean New_Tai_Lue Newa Nko Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian ' +
    'Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician ' +
    'Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sora_Sompeng ' +
    'Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangut Telugu Thaana Thai ' +
    'Tibetan Tifinagh Tirhuta Ugaritic Vai Warang_Citi Yi'
  ).split(' '))();

let patterns;
const found = new Map(); // scripts of characters

/** The script of a character: its name, 'Any' for characters of every script. */
function scriptOf(character) {
  if (character === ' ') return 'Any';
  if (character === '\u30fc') return 'Han';
  if (!found.has(character)) {
    patterns ??= scripts.map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')]);
    const [name = 'Any'] = patterns.find(([, pattern]) => pattern.test(character)) ?? [];
    found.set(character, /^(?:Hiragana|Katakana)$/.test(name) ? 'Han' : name);
  }
  return found.get(character);
}

/** The segments of a RangedText in one script each. */
export function scriptSegments(source) {
  const starts = [];
  let last; // the script of the segment; characters of every script do not end it, nor begin the first
  let at = 0;
  for (const character of source.text) {
    const script = scriptOf(character);
    if (script !== 'Any') {
      if (script !== last) starts.push(at);
      last = script;
    }
    at += character.length;
  }
  return starts.map((start, n) => source.slice(start, starts[n + 1] ?? at));
}
