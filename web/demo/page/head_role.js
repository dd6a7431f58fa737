// What a head does, in a few words and the number that made them.

/** @param {import('../types').HeadRole} role */
export const roleText = ({ says, share }) => `${says} ${share.toFixed(2)}`;

/** How far it looks: ["entropy 1.4 bits", "2.3 away"], the latter within one text. */
export const reachOf = ({ entropy, distance }) => [
  `entropy ${entropy.toFixed(1)} bits`,
  ...(distance === null ? [] : [`${distance.toFixed(1)} away`]),
];

/** That of the head that is shown, or of their average; undefined where there is none. */
export const roleIn = (picture, head) =>
  picture?.roles?.[picture.average ? 0 : Math.min(head, picture.heads - 1)];
