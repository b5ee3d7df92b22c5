import type { z } from 'zod'
import type { Handover } from '../ipc/keys/secrets.ts'
import { catalogue } from './catalogue.ts'

/** Sentences that explain the command that hands over a secret. The window and the system dialog use the same texts. */
export const handoverWords = catalogue('handover', {
  systemd_shown: (name: string) =>
    `Encrypts the key for this computer and shows the line for the unit file. The service reads it from $CREDENTIALS_DIRECTORY/${name}.`,
  systemd_file: (file: string, name: string) => `Encrypts the key for this computer into ${file}. The service reads it from $CREDENTIALS_DIRECTORY/${name}.`,
  systemd_root: 'Only root on this computer can decrypt the key.',
  systemd_host_key: 'The host key belongs to root: the command may need to run as root.',
  systemd_unit: (line: string) => `In the unit: ${line}`,

  docker: (name: string) => `Creates the swarm secret ${name}. Services that get the secret read it from /run/secrets/${name}.`,
  docker_fixed: 'Docker cannot change a secret: after a rotation, create one under a new name and give it to the service.',

  kubernetes_create: (name: string) => `Creates the secret ${name} in the current cluster.`,
  kubernetes_create_in: (name: string, namespace: string) => `Creates the secret ${name} in the namespace ${namespace} of the current cluster.`,
  kubernetes_create_context: (name: string, context: string) => `Creates the secret ${name} in ${context}.`,
  kubernetes_create_in_context: (name: string, namespace: string, context: string) => `Creates the secret ${name} in the namespace ${namespace} of ${context}.`,
  kubernetes_apply: (name: string) => `Creates or replaces the secret ${name} in the current cluster.`,
  kubernetes_apply_in: (name: string, namespace: string) => `Creates or replaces the secret ${name} in the namespace ${namespace} of the current cluster.`,
  kubernetes_apply_context: (name: string, context: string) => `Creates or replaces the secret ${name} in ${context}.`,
  kubernetes_apply_in_context: (name: string, namespace: string, context: string) =>
    `Creates or replaces the secret ${name} in the namespace ${namespace} of ${context}.`,
  kubernetes_exists: 'The command fails if a secret with this name exists.',
  kubernetes_readers:
    'Anyone who may read secrets in this namespace can read this secret. Pods get a new value only when they restart, or through a mounted file.',

  github: (name: string, repository: string) => `Sets the Actions secret ${name} of ${repository}. Replaces an existing secret with this name.`,
  github_environment: (name: string, repository: string, environment: string) =>
    `Sets the Actions secret ${name} of ${repository}, environment ${environment}. Replaces an existing secret with this name.`,
  github_readers: 'Every workflow of the repository that runs with secrets can use this secret.',
  github_sign_in: 'gh must be signed in.',

  ssh: (path: string, host: string) => `Writes ${path} on ${host}, readable only by that user. Replaces an existing file with this name.`,
  ssh_access: 'ssh must already know the host and connect without a password.',
  ssh_readers: 'Administrators of that computer can read the file, and so can its backups.',

  command: (program: string) => `Starts ${program} with the secret on its input.`,
  command_unknown: 'Svc Desk does not know what the program does with the secret.',
  command_plain: 'No shell reads the words: $, *, | and > are plain characters.',
})

interface HandoverText {
  /** What the command that receives the secret does, in one sentence. */
  readonly sentence: string
  /** What the user should know before running the command. */
  readonly notes: readonly string[]
}

type Of<T extends z.input<typeof Handover>['target']> = Extract<z.input<typeof Handover>, { target: T }>['options']

function kubernetesText({ how, name, namespace, context }: Of<'kubernetes'>): string {
  const way = how === 'create' ? 'create' : 'apply'
  if (namespace === null) return context === null ? handoverWords[`kubernetes_${way}`](name) : handoverWords[`kubernetes_${way}_context`](name, context)
  return context === null ? handoverWords[`kubernetes_${way}_in`](name, namespace) : handoverWords[`kubernetes_${way}_in_context`](name, namespace, context)
}

export function handoverText({ target, options }: z.input<typeof Handover>): HandoverText {
  switch (target) {
    case 'systemd': {
      const { name, output, seal } = options
      return {
        sentence: output === null ? handoverWords.systemd_shown(name) : handoverWords.systemd_file(output, name),
        notes: [
          handoverWords.systemd_root,
          ...(seal === 'tpm2' ? [] : [handoverWords.systemd_host_key]),
          ...(output === null ? [] : [handoverWords.systemd_unit(`LoadCredentialEncrypted=${name}:${output}`)]),
        ],
      }
    }
    case 'docker':
      return { sentence: handoverWords.docker(options.name), notes: [handoverWords.docker_fixed] }
    case 'kubernetes':
      return {
        sentence: kubernetesText(options),
        notes: [...(options.how === 'create' ? [handoverWords.kubernetes_exists] : []), handoverWords.kubernetes_readers],
      }
    case 'github': {
      const { name, repo, environment } = options
      return {
        sentence: environment === null ? handoverWords.github(name, repo) : handoverWords.github_environment(name, repo, environment),
        notes: [handoverWords.github_readers, handoverWords.github_sign_in],
      }
    }
    case 'ssh':
      return { sentence: handoverWords.ssh(options.path, options.host), notes: [handoverWords.ssh_access, handoverWords.ssh_readers] }
    case 'command':
      return { sentence: handoverWords.command(options.words[0] ?? ''), notes: [handoverWords.command_unknown, handoverWords.command_plain] }
  }
}
