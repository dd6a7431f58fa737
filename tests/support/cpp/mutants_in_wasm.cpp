// Which mutant is on, and which ones are met, as mutants.cpp has it, in a module in Node: behind
// the text of src/bindings/bindings.cpp, in the copy that tests/release/mutants.js makes.
#include <emscripten.h>

namespace mutants {

int chosen = [] {
  return EM_ASM_INT({
    const given = globalThis.process.env.MUTANT;
    return given ? Number(given) : -1;
  });
}();

bool note(int n) {
  EM_ASM(
      {
        const {env} = globalThis.process;
        const met = globalThis.mutantsMet || new Set();
        globalThis.mutantsMet = met;
        if (!env.MUTANTS_MET || met.has($0)) return;
        met.add($0);
        const fs = globalThis.process.getBuiltinModule('node:fs');
        fs.appendFileSync(env.MUTANTS_MET, $0 + String.fromCharCode(10));
      },
      n);
  return false;
}

}  // namespace mutants
