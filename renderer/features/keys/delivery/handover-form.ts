import type { Input } from '../../../../shared/ipc/contract.ts'
import { keysText } from '../../../text/en/keys.en.tsx'

export type HandoverChoice = Input<'handover.preview'>
export type Target = HandoverChoice['target']

export interface HandoverField {
  readonly name: string
  readonly label: string
  readonly placeholder: string
  /** True if the user may leave the field empty. */
  readonly optional: boolean
}

interface TargetForm {
  readonly label: string
  readonly lead: string
  readonly fields: readonly HandoverField[]
}

export const field = (name: string, label: string, placeholder: string, optional = false): HandoverField => ({ name, label, placeholder, optional })

/** The form fields for each destination to which a secret can be handed over. */
export const targets: Readonly<Record<Target, TargetForm>> = {
  ssh: {
    label: keysText.sshTarget,
    lead: keysText.sshLead,
    fields: [
      field('host', keysText.host, 'bot@bots-1.example'),
      field('path', keysText.file, '.config/bot/svc-api-key'),
      field('port', keysText.port, '22', true),
    ],
  },
  systemd: {
    label: keysText.systemdTarget,
    lead: keysText.systemdLead,
    fields: [field('name', keysText.name, 'svc-api-key'), field('output', keysText.file, '/etc/credstore.encrypted/svc-api-key', true)],
  },
  docker: {
    label: keysText.dockerTarget,
    lead: keysText.dockerLead,
    fields: [field('name', keysText.name, 'svc_api_key_2'), field('context', keysText.context, 'default', true)],
  },
  kubernetes: {
    label: keysText.kubernetesTarget,
    lead: keysText.kubernetesLead,
    fields: [
      field('name', keysText.name, 'svc-api-key'),
      field('entry', keysText.entry, 'SVC_API_KEY'),
      field('namespace', keysText.namespace, 'bots', true),
      field('context', keysText.context, 'production', true),
    ],
  },
  github: {
    label: keysText.githubTarget,
    lead: keysText.githubLead,
    fields: [
      field('name', keysText.name, 'SVC_API_KEY'),
      field('repo', keysText.repository, 'owner/name'),
      field('environment', keysText.environment, 'production', true),
    ],
  },
  command: {
    label: keysText.programTarget,
    lead: keysText.programLead,
    fields: [field('words', keysText.programAndArguments, 'glab variable set SVC_API_KEY --masked')],
  },
}

export const targetOrder: readonly Target[] = ['ssh', 'systemd', 'docker', 'kubernetes', 'github', 'command']

export type Typed = Readonly<Record<string, string>>

/** The handover request for the main process; `null` while a required field is empty. */
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

/** The form field that a `bad_input` failure of the main process names; `null` if the failure is about something else. */
export const wrongField = (field: string | null): string | null => (field?.startsWith('options.') === true ? field.slice('options.'.length) : null)
