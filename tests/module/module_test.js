// The WebAssembly module beside the program: module_test.js PROGRAM SOURCE LIVE.
const { cases, glue: { Headlight }, wasmBinary } = require("./context.js");
require("./bits_cases.js");
require("./measure_cases.js");
require("./broken_cases.js");

async function main() {
  const headlight = await Headlight.create(wasmBinary);
  let failed = 0;
  for (const [name, run] of cases) {
    try {
      await run(headlight);
      console.log(`ok   ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAIL ${name}: ${error.message}`);
      if (process.env.TRACE) console.log(error.stack);
    }
  }
  if (failed > 0) {
    process.exitCode = 1;
    console.log(`${failed} of ${cases.length} failed; if the module may be older than the program, run scripts/build-page`);
  }
}
main();
