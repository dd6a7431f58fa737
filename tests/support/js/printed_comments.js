// Examples whose comments state the output: in `console.log(x.dims); // [ 5, 64 ], one row for each word` the comment begins with
// the printed text. Comments in lower-case words, or dims with ×, are explanations and not compared; addresses are.

/** { source, promises }: a module that writes [number, text] for each console.log(), and the comments by number. */
export function watchPrints(example) {
  const promises = new Map();
  let count = 0;
  const call = /\bconsole\.log\([\s\S]*?\);[^\S\n]*(?:\/\/ (.*))?$/gm;
  const body = example.replace(call, (whole, comment) => {
    const number = count++;
    if (comment && !/^[a-z](?!\w*:\/\/)|×/.test(comment)) promises.set(number, comment);
    return whole.replace('console.log(', `printed(${number}, `);
  });
  const source = `import { format } from 'node:util';
    const printed = (number, ...rest) =>
      process.stdout.write(JSON.stringify([number, format(...rest)]) + '\\n');
    ${body}`;
  return { source, promises };
}

/** Sentences about differences between output and comments. `output`: everything that the module wrote. */
export function brokenPromises(promises, output) {
  const prints = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return [...promises].flatMap(([number, comment]) => {
    const texts = prints.filter(([other]) => other === number).map(([, text]) => text);
    if (texts.length === 0) return [`nothing is printed for: ${comment}`];
    const wrong = texts.filter((text) => !comment.startsWith(text));
    return wrong.map((text) => `${text} is printed, not: ${comment}`);
  });
}
