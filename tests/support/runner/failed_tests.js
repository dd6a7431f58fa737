// Names of failed tests in the reports of test runners.

/** Names in a TAP report of Node's test runner, with those of their suites: 'suite > test'. */
export function failedInTap(report) {
  const names = []; // of the current subtest at each depth
  const failed = [];
  const lines = report.split('\n');
  for (const [at, line] of lines.entries()) {
    const [, indent, title] = line.match(/^((?: {4})*)# Subtest: (.*)$/) ?? [];
    if (title !== undefined) {
      const depth = indent.length / 4;
      names.splice(depth, names.length, title.replaceAll(/\\([\\#])/g, '$1'));
    }
    const [, ending] = line.match(/^((?: {4})*)not ok \d+ - /) ?? [];
    if (ending === undefined) continue;
    const details = lines.slice(at + 1, lines.indexOf(`${ending}  ...`, at + 1));
    // A suite fails when one of its tests does.
    const isSuite = details.some((detail) => detail.trim() === "failureType: 'subtestsFailed'");
    if (!isSuite) failed.push(names.slice(0, ending.length / 4 + 1).join(' > '));
  }
  return failed;
}

/** Names in the output of GoogleTest. */
export const failedInGoogleTest = (output) =>
  Array.from(output.matchAll(/^\[ {2}FAILED {2}\] (\S+?),? .*\(\d+ ms\)$/gm), ([, name]) => name);
