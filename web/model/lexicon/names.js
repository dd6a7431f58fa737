// Names that the corpus uses with a French rendering of the same spelling, and more of their kind:
// training puts one for another, so that the model learns to carry a name over.
const words = (text) => text.trim().split(/\s+/);

export const men = words(`
  Tom John Bob Jim Mike Ken Bill Jack Peter Paul George David Dan Sam Max Ben Leo Hugo Oscar Ivan Igor
  Carlos Diego Pedro Luca Marco Giovanni Hans Otto Karl Lars Sven Erik Olaf Ahmed Omar Ali Hassan Yusuf
  Ibrahim Amir Raj Arjun Vikram Kenji Hiroshi Takeshi Satoshi Zuko Iroh Wei Chen Minh Kofi Kwame Tariq
  Dmitri Sergei Boris Oleg Pavel Milan Tomas Mateo Felix Simon Martin Robert Richard William Harry Oliver
  Ethan Liam Noah Lucas Adam Henry Albert Walter Frank Steve Kevin Brian Eric Alan Roger Gary Larry Andrew
  Anthony Edward Nigel Trevor Stuart Gordon Percival Bartholomew Mohamed Mustafa Nikolai Bogdan Zoltan`);

export const women = words(`
  Mary Alice Ann Anna Emily Jane Kate Lucy Linda Susan Nancy Betty Helen Emma Julia Laura Nina Maria Elena
  Sofia Carmen Lucia Paola Giulia Ingrid Astrid Freya Greta Heidi Olga Irina Natasha Svetlana Katarina
  Fatima Aisha Layla Yasmin Leila Priya Lakshmi Deepa Yuki Sakura Hanako Keiko Mei Ling Xiu Amina Zuri
  Nadia Vera Clara Diana Eva Ida Iris Ivy Olivia Sophia Isabella Mia Amelia Charlotte Grace Ruth Sarah
  Rachel Rebecca Esther Judith Barbara Patricia Jennifer Elizabeth Margaret Dorothy Sandra Ashley Kimberly
  Donna Carol Michelle Amanda Melissa Deborah Stephanie Zoë Ursula Katara Azula Toph Penelope Beatrix`);

export const otherNames = words(`
  Boston Tokyo Paris Berlin Madrid Osaka Kyoto Chicago Sydney Toronto Dallas Oslo Prague Lima Cairo Nairobi
  Delhi Mumbai Dublin Oxford Cambridge Manchester Liverpool Seattle Denver Houston Atlanta Austin Madison
  Kobe Nagoya Nagasaki Hiroshima Lagos Accra Dakar Tunis Rabat Jakarta Manila Bangkok Hanoi Budapest Zagreb
  Jackson Smith Brown White Tanaka Yamada Suzuki Kato Sato Johnson Miller Wilson Taylor Anderson Thomas
  Moore Thompson Harris Lewis Walker Baker Nelson Carter Mitchell Roberts Turner Phillips Campbell Parker
  Facebook Google Twitter Wikipedia Esperanto Tatoeba Honda Toyota Einstein Darwin Newton Shakespeare Mozart`);
