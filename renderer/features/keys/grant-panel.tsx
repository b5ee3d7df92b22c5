import type { ReactNode } from 'react'
import type { KeyDraft } from '../../../shared/ipc/keys.ts'
import { Button } from '../../ui/button.tsx'
import { CountdownRing } from '../../ui/countdown-ring.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Identicon } from '../../ui/identicon.tsx'
import { useNow } from '../../ui/now.tsx'
import { shorten } from '../../ui/short.ts'
import { timeOfDay } from '../../ui/time-text.ts'
import { useConnectedWallet } from '../../wallet/wallet-provider.tsx'

/** Whole, or already cut short by main. */
const addressPattern = /(0x[0-9a-fA-F]{40}|0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4})/

function Picture({ address }: { readonly address: string | undefined }) {
  return address === undefined ? null : <Identicon address={address} />
}

/** The sentence with every address in it drawn as what it is. */
function Words({ sentence, people }: { readonly sentence: string; readonly people: readonly string[] }) {
  const whole = (part: string) => people.find((address) => shorten(address).toLowerCase() === shorten(part).toLowerCase())
  return (
    <p>
      {sentence.split(addressPattern).map((part, index) =>
        addressPattern.test(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same address may stand in a text twice
          <span className="ent" key={`${index}:${part}`} title={whole(part) ?? part}>
            <Picture address={whole(part)} />
            <code>{shorten(part)}</code>
          </span>
        ) : (
          part
        ),
      )}
    </p>
  )
}

function May({ title, list, allowed }: { readonly title: string; readonly list: readonly string[]; readonly allowed: boolean }) {
  return (
    <div className={allowed ? undefined : 'not'}>
      <h3>{title}</h3>
      <ul>
        {list.map((entry) => (
          <li key={entry}>
            <Icon name={allowed ? 'check' : 'x'} size={14} />
            {entry}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Checks({ draft }: { readonly draft: KeyDraft }) {
  const shown = draft.comparison.lines.filter((line) => line.group === 'envelope' || line.id === 'expiresAt')
  return (
    <ul className="chk" aria-label="Checked">
      {shown.map((line) => {
        const good = line.verdict === 'match'
        return (
          <li key={line.id} className={good ? undefined : line.verdict === 'differ' ? 'bad' : 'open'}>
            <Icon name={good ? 'check' : line.verdict === 'differ' ? 'x' : 'unknown'} size={14} />
            {line.label}
            {addressPattern.test(line.signed ?? '') ? (
              <code title={line.signed ?? ''}>{shorten(line.signed?.match(addressPattern)?.[0] ?? '')}</code>
            ) : (
              <span>{line.signed ?? '—'}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The grant of a prepared key: who may do what, for whom, on which contract, until when. */
export function GrantPanel({
  draft,
  onSign,
  onRenew,
  renewing,
}: {
  readonly draft: KeyDraft
  readonly onSign: () => void
  readonly onRenew: () => void
  readonly renewing: boolean
}) {
  const now = useNow(1_000)
  const wallet = useConnectedWallet()
  const over = now >= draft.expiresAtMs
  const blocked = draft.comparison.verdict === 'block'
  return (
    <aside className="panel grant" aria-labelledby="grant-title">
      <header>
        <div>
          <h2 id="grant-title">The grant, in words</h2>
          <p className="muted">Signed once, costs nothing</p>
        </div>
        <CountdownRing untilMs={draft.expiresAtMs} totalMs={draft.expiresAtMs - draft.preparedAtMs} size={56} />
      </header>
      <div className="words">
        <Words sentence={draft.grant.sentence} people={[draft.agent, wallet?.address].filter((address) => address != null)} />
      </div>
      <div className="may">
        <May title="It may" list={draft.grant.may} allowed />
        <May title="It may not" list={draft.grant.mayNot} allowed={false} />
      </div>
      <Checks draft={draft} />
      <footer>
        {over ? (
          <Button size="lg" block variant="primary" icon="refresh" busy={renewing} onClick={onRenew}>
            Prepare it again
          </Button>
        ) : (
          <Button size="lg" block variant={blocked ? 'danger' : 'primary'} icon={blocked ? 'shield-x' : 'phone'} onClick={onSign}>
            {blocked ? 'See why it is refused' : 'Sign in your wallet'}
          </Button>
        )}
        <p className="help">
          <Icon name={over ? 'hourglass' : 'info'} />
          <span>
            {over
              ? 'Its 30 minutes are over. Nothing was created.'
              : `The key exists only after you sign. You can come back to this until ${timeOfDay(draft.expiresAtMs).slice(0, 5)} UTC.`}
          </span>
        </p>
      </footer>
    </aside>
  )
}

/** Before anything is prepared: what will stand here, and the button that asks for it. */
export function GrantPreview({
  may,
  busy,
  ready,
  hint,
  onPrepare,
  children,
}: {
  readonly may: readonly string[]
  readonly busy: boolean
  readonly ready: boolean
  readonly hint: string | null
  readonly onPrepare: () => void
  readonly children?: ReactNode
}) {
  return (
    <aside className="panel grant" aria-labelledby="grant-title">
      <header>
        <div>
          <h2 id="grant-title">The grant, in words</h2>
          <p className="muted">Comes with the preparation</p>
        </div>
        <Icon name="bot" size={20} className="dim" />
      </header>
      <div className="words quiet">
        <p>The service makes a new trading agent for this key. Your wallet signs once what that agent may do for you; nothing is created before.</p>
      </div>
      <div className="may">
        <May title="A bot-ready key may" list={may} allowed />
        <May title="It may not" list={['Withdraw or move your collateral', 'Make keys or give this on']} allowed={false} />
      </div>
      <footer>
        {children}
        <Button size="lg" block variant="primary" icon="shield" busy={busy} disabled={!ready} onClick={onPrepare}>
          {busy ? 'Trying the keychain' : 'Prepare the grant'}
        </Button>
        <p className={hint === null ? 'help' : 'help error'}>
          <Icon name={hint === null ? 'info' : 'stop'} />
          <span>{hint ?? 'First a test entry is written to the system keychain and read back. Without it no key is made.'}</span>
        </p>
      </footer>
    </aside>
  )
}
