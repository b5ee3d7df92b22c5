import type { Input } from '../../../../shared/ipc/contract.ts'

export type HandoverChoice = Input<'handover.preview'>
export type Target = HandoverChoice['target']

export interface HandoverField {
  readonly name: string
  readonly label: string
  readonly placeholder: string
  /** May be left empty. */
  readonly optional: boolean
}

interface TargetForm {
  readonly label: string
  readonly lead: string
  readonly fields: readonly HandoverField[]
}

const field = (name: string, label: string, placeholder: string, optional = false): HandoverField => ({ name, label, placeholder, optional })

/** What is asked for each place that a secret is handed to. */
export const targets: Readonly<Record<Target, TargetForm>> = {
  ssh: {
    label: 'Another computer (ssh)',
    lead: 'A file that only you can read there.',
    fields: [field('host', 'Host', 'bot@bots-1.example'), field('path', 'File', '.config/bot/svc-api-key'), field('port', 'Port', '22', true)],
  },
  systemd: {
    label: 'systemd credential',
    lead: 'Encrypted for this computer, for LoadCredentialEncrypted=.',
    fields: [field('name', 'Name', 'svc-api-key'), field('output', 'File', '/etc/credstore.encrypted/svc-api-key', true)],
  },
  docker: {
    label: 'Docker secret',
    lead: 'For services of a swarm. Docker cannot change one: a new secret needs a new name.',
    fields: [field('name', 'Name', 'svc_api_key_2'), field('context', 'Context', 'default', true)],
  },
  kubernetes: {
    label: 'Kubernetes secret',
    lead: 'Applied by kubectl; replaces an earlier one of that name.',
    fields: [
      field('name', 'Name', 'svc-api-key'),
      field('entry', 'Entry', 'SVC_API_KEY'),
      field('namespace', 'Namespace', 'bots', true),
      field('context', 'Context', 'production', true),
    ],
  },
  github: {
    label: 'GitHub Actions secret',
    lead: 'Set by gh, for the workflows of a repository.',
    fields: [field('name', 'Name', 'SVC_API_KEY'), field('repo', 'Repository', 'owner/name'), field('environment', 'Environment', 'production', true)],
  },
  command: {
    label: 'Another program',
    lead: 'Any program that reads the secret from its input. Words are parted by spaces; no shell reads them.',
    fields: [field('words', 'Program and words', 'glab variable set SVC_API_KEY --masked')],
  },
}

export const targetOrder: readonly Target[] = ['ssh', 'systemd', 'docker', 'kubernetes', 'github', 'command']

export type Typed = Readonly<Record<string, string>>

/** What main is asked with; null while something that is needed is not typed yet. */
export function handoverOf(target: Target, typed: Typed, content: 'key' | 'env'): HandoverChoice | null {
  const text = (name: string) => (typed[name] ?? '').trim()
  const maybe = (name: string) => (text(name) === '' ? null : text(name))
  if (targets[target].fields.some((one) => !one.optional && text(one.name) === '')) return null
  switch (target) {
    case 'ssh': {
      const port = text('port')
      return { target, options: { host: text('host'), path: text('path'), port: /^\d{1,5}$/.test(port) ? Number(port) : null, content } }
    }
    case 'systemd':
      return { target, options: { name: text('name'), output: maybe('output'), seal: 'auto', content } }
    case 'docker':
      return { target, options: { name: text('name'), context: maybe('context'), content } }
    case 'kubernetes':
      return {
        target,
        options: { name: text('name'), entry: text('entry'), namespace: maybe('namespace'), context: maybe('context'), how: 'replace', content },
      }
    case 'github':
      return { target, options: { name: text('name'), repo: text('repo'), environment: maybe('environment'), content } }
    case 'command':
      return { target, options: { words: text('words').split(/\s+/), content } }
  }
}

/** The field that main's `bad_input` names; null for another. */
export const wrongField = (field: string | null): string | null => (field?.startsWith('options.') === true ? field.slice('options.'.length) : null)
