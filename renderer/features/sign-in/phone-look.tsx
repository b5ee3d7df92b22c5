import type { ChallengeView } from '../../../shared/ipc/keys/session.ts'
import { Icon } from '../../kit/icons/icon.tsx'

/** While the phone has the request: what it must show. Its display is the last defence, so the user is told what to look for. */
export function PhoneLook({ challenge, peerName, asked }: { readonly challenge: ChallengeView; readonly peerName: string; readonly asked: boolean }) {
  const host = challenge.checks.find((check) => check.id === 'host')?.value ?? null
  const firstLine = challenge.message.split('\n')[0] ?? ''
  const looks = [
    { title: 'Svc Desk asks', text: `A message to sign, not a transaction, in ${peerName}` },
    { title: host ?? 'The same host', text: `The first line: “${firstLine.slice(0, 80)}”` },
    { title: 'Nothing to pay', text: 'No amount, no fee, no approval of tokens' },
  ]
  return (
    <section className="cks look" aria-label="What to look for on the phone">
      <h3>
        <Icon name="phone" size={14} />
        What to look for on the phone
      </h3>
      <ol>
        {looks.map(({ title, text }, index) => (
          <li key={title}>
            <em aria-hidden="true">{index + 1}</em>
            <div>
              <p>
                <b>{title}</b>
              </p>
              <p className="sub">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <p className="look-state" role="status">
        <span className="spin" aria-hidden="true" />
        {asked ? 'The phone has it. Waiting for your word there.' : 'On its way to the phone.'}
      </p>
    </section>
  )
}
