import { secretPrefixes } from '../../../shared/api/redact.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'

/** The name that `--secret-env` was given, or null where it was not; fails with one sentence. */
export function readSecretVariable(options: ReadonlyMap<string, string>): Result<string | null, string> {
  const name = options.get('secret-env') ?? null
  // Not repeated: it may be the secret itself.
  if (name?.startsWith(secretPrefixes.webhook))
    return fail('--secret-env takes the name of a variable. A secret on the command line is seen by others: change it.')
  return name === null || /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? ok(name) : fail('--secret-env takes the name of a variable.')
}
