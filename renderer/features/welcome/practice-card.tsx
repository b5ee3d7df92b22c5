import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Icon } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { PracticeScene } from './practice-scene.tsx'

const promises = ['No account, no network, no money', '10,000 play USDC to start with', 'Point your own bot at it'] as const

/** One click to a whole exchange on this computer. */
export function PracticeCard() {
  const start = useDeskCommand('practice.start')
  const navigate = useNavigate()
  return (
    <section className="panel pra" aria-labelledby="practice-title">
      <PracticeScene />
      <div className="pra-b">
        <h2 id="practice-title">Try everything first</h2>
        <p>A whole exchange on this computer: moving markets, a chain, and a phone wallet that shows what it signs.</p>
        <ul>
          {promises.map((promise) => (
            <li key={promise}>
              <Icon name="check" size={14} />
              {promise}
            </li>
          ))}
        </ul>
        {start.error === null ? null : (
          <div className="pra-failure">
            <FailureNote failure={failureOf(start.error)} />
          </div>
        )}
        <Button
          size="lg"
          block
          className="go"
          icon="play"
          busy={start.isPending}
          onClick={() => {
            // The window may load anew when the profile is there; the address is kept, so this leads to the code either way.
            navigate('connect')
            start.mutate({})
          }}
        >
          {start.isPending ? 'Starting the exchange, the chain and the phone' : start.error === null ? 'Start practising' : 'Try again'}
        </Button>
      </div>
    </section>
  )
}

/** In practice: the phone that scans the code at a click. */
export function PracticePhoneCard({ uri }: { readonly uri: string | null }) {
  const pair = useDeskCommand('practice.pair')
  const show = useDeskCommand('practice.showPhone')
  const scan = () => {
    if (uri === null) return
    show.mutate({})
    pair.mutate({ uri })
  }
  return (
    <section className="panel pra" aria-labelledby="practice-phone-title">
      <PracticeScene />
      <div className="pra-b">
        <h2 id="practice-phone-title">Your practice phone</h2>
        <p>A phone wallet in a window of its own. It scans the code for you and then asks, as a real one would.</p>
        <ul>
          {['Holds 10,000 play USDC', 'Approves nothing by itself', 'Pairs with this app only'].map((promise) => (
            <li key={promise}>
              <Icon name="check" size={14} />
              {promise}
            </li>
          ))}
        </ul>
        {pair.error === null ? null : (
          <div className="pra-failure">
            <FailureNote failure={failureOf(pair.error)} />
          </div>
        )}
        <Button size="lg" block className="go" icon="phone" busy={pair.isPending} disabled={uri === null} onClick={scan}>
          Scan with the practice phone
        </Button>
        {pair.isSuccess ? (
          <p className="pra-next" role="status">
            Now press <b>Approve</b> on the phone.
          </p>
        ) : null}
      </div>
    </section>
  )
}
