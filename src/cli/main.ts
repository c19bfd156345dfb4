// The command line's front desk: finds the command a person named, and answers with its exit code. It promises to change
// nothing on import: src/cli/tidetable.mjs calls `main`.

const usage = `Tidetable designs the tables of a Cassandra database for a workload that changes over time.

usage: tidetable <command> [arguments]
`;

/** Runs one command. Exit codes: 0 done, 2 not understood. */
export const main = async (args: readonly string[]): Promise<number> => {
  const [command] = args;
  if (command === "--help" || command === "-h") {
    process.stdout.write(usage);
    return 0;
  }
  process.stderr.write(
    command === undefined ? usage : `tidetable: there is no command "${command}"\n\n${usage}`,
  );
  return 2;
};
