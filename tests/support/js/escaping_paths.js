/** Names that lead out of the folder https://models.test/a/ or another one, in several spellings. */
export const escapingPaths = [
  '\\\\other.test\\steal',
  '//other.test/steal',
  ' https://other.test/steal',
  '\thttps://other.test/steal',
  'ht\ntps://other.test/steal',
  'https://models.test.other.test/a/x',
  'http://models.test/a/x',
  '%2e%2e/secret',
  '.%2E/secret',
  '..\\secret',
  'b/../../secret',
  '\\secret',
  '\n/secret',
];
