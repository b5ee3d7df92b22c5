import { isAbsolute, normalize } from 'node:path'
import type { Handover } from '../../../../shared/ipc/keys/secrets.ts'
import { ok } from '../../../../shared/result.ts'
import { isPlain, part, rules } from './parts.ts'
import { contentOf, type PlanResult, wrong } from './plan.ts'

/** `systemd-creds encrypt`: the credential can be read by services of this computer alone. */
export function planSystemd({ name, output, seal, content }: Extract<Handover, { target: 'systemd' }>['options']): PlanResult {
  const named = part('name', name, rules.credential)
  if (!named.ok) return named
  if (output !== null && (!isAbsolute(output) || normalize(output) !== output || output.endsWith('/') || !isPlain(output) || output.length > 4_096))
    return wrong('output', 'the whole path of a file, beginning with /')
  return ok({
    words: ['systemd-creds', 'encrypt', `--name=${name}`, `--with-key=${seal}`, ...(output === null ? ['--pretty', '-', '-'] : ['-', output])],
    input: contentOf(content),
    remote: null,
    to: output === null ? `systemd credential ${name}, shown` : `systemd credential ${output}`,
    sentence:
      output === null
        ? `Encrypts the key for this computer and shows the line for the unit file. The service reads it from $CREDENTIALS_DIRECTORY/${name}.`
        : `Encrypts the key for this computer into ${output}. The service reads it from $CREDENTIALS_DIRECTORY/${name}.`,
    notes: [
      'It can be decrypted on this computer only, by root.',
      ...(seal === 'tpm2' ? [] : ['The key of the host belongs to root: the command may need to run as root.']),
      ...(output === null ? [] : [`In the unit: LoadCredentialEncrypted=${name}:${output}`]),
    ],
  })
}
