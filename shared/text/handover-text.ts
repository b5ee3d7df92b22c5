import type { z } from 'zod'
import type { Handover } from '../ipc/keys/secrets.ts'

interface HandoverText {
  /** What the command does. */
  readonly sentence: string
  /** What to know before. */
  readonly notes: readonly string[]
}

/** The sheet and main's own question say the same of a hand-over. */
export function handoverText({ target, options }: z.input<typeof Handover>): HandoverText {
  switch (target) {
    case 'systemd': {
      const { name, output, seal } = options
      return {
        sentence:
          output === null
            ? `Encrypts the key for this computer and shows the line for the unit file. The service reads it from $CREDENTIALS_DIRECTORY/${name}.`
            : `Encrypts the key for this computer into ${output}. The service reads it from $CREDENTIALS_DIRECTORY/${name}.`,
        notes: [
          'It can be decrypted on this computer only, by root.',
          ...(seal === 'tpm2' ? [] : ['The key of the host belongs to root: the command may need to run as root.']),
          ...(output === null ? [] : [`In the unit: LoadCredentialEncrypted=${name}:${output}`]),
        ],
      }
    }
    case 'docker':
      return {
        sentence: `Makes the swarm secret ${options.name}. Services that are given it read it from /run/secrets/${options.name}.`,
        notes: ['Docker cannot change a secret: after a rotation make one under a new name and give it to the service.'],
      }
    case 'kubernetes': {
      const { how, name, namespace, context } = options
      return {
        sentence: `${how === 'create' ? 'Makes' : 'Makes or replaces'} the secret ${name}${namespace === null ? '' : ` in ${namespace}`} in ${context === null ? 'the current cluster' : context}.`,
        notes: [
          ...(how === 'create' ? ['It fails where a secret of this name exists.'] : []),
          'Whoever may read secrets of this namespace can read it. Pods get a new value only when they restart, or through a mounted file.',
        ],
      }
    }
    case 'github': {
      const { name, repo, environment } = options
      return {
        sentence: `Sets the Actions secret ${name} of ${repo}${environment === null ? '' : `, environment ${environment}`}. One of that name is replaced.`,
        notes: ['Every workflow of the repository that runs with secrets can use it.', 'gh must be signed in.'],
      }
    }
    case 'ssh':
      return {
        sentence: `Writes ${options.path} on ${options.host}, readable by that user alone. A file of that name is replaced.`,
        notes: ['ssh must know the host already and get in without a password.', 'Administrators of that computer can read the file, and so can its backups.'],
      }
    case 'command':
      return {
        sentence: `Starts ${options.words[0]} with the secret on its input.`,
        notes: ['What the program does with it is not known here.', 'No shell reads the words: $, *, | and > are plain characters.'],
      }
  }
}
