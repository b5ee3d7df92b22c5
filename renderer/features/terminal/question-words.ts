import type { TerminalRequest } from '../../../shared/ipc/keys/secrets.ts'

export interface QuestionWords {
  readonly title: string
  /** What agreeing does. */
  readonly effect: string
  readonly agree: string
  readonly tone: 'warn' | 'danger'
}

/** What is asked when a command in a terminal wants something of a key. */
export function questionWords({ kind, key, webhook, words }: Pick<TerminalRequest, 'kind' | 'key' | 'webhook' | 'words'>): QuestionWords {
  const label = key?.label ?? ''
  switch (kind) {
    case 'run':
      return {
        title: key === null ? 'Give a signing secret to a command' : `Give “${label}” to a command`,
        effect:
          key === null
            ? 'The command gets the signing secret. Whoever has it can sign deliveries as the service does.'
            : `The command gets the secret in its environment and can do with it whatever the key may.${webhook === null ? '' : ' The signing secret of the webhook, too.'}`,
        agree: 'Give it',
        tone: 'warn',
      }
    case 'listen':
      return {
        title: 'Check deliveries in a terminal',
        effect:
          'The command gets the signing secret: it checks with it what is delivered, and signs anew what you send again. Whoever has it can sign deliveries as the service does.',
        agree: 'Give it',
        tone: 'warn',
      }
    case 'check':
      return {
        title: 'Check the service from a terminal',
        effect: [
          'Reads every route your keys allow, previews an order and prepares each action. Nothing is signed, sent or carried out. The command gets the report without secrets.',
          ...(words.includes('--accept-top') ? ['The field map changes: each missing field is read from its first candidate.'] : []),
          ...(words.includes('--dry-runs') ? ['Dry runs trust the service not to act. The first one cancels an order that does not exist.'] : []),
        ].join(' '),
        agree: 'Check',
        tone: 'warn',
      }
    case 'rotate':
      return {
        title: `Rotate “${label}”`,
        effect: 'The service makes a new secret and the present one stops working at once. Bots that hold it stop until they get the new one.',
        agree: 'Rotate',
        tone: 'warn',
      }
    case 'revoke':
      return {
        title: `Revoke “${label}”`,
        effect: 'Bots with this key stop at once and its agent loses its grant. This cannot be undone.',
        agree: 'Revoke',
        tone: 'danger',
      }
  }
}
