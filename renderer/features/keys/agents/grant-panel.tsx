import type { ReactNode } from 'react'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { KeyDraft } from '../../../../shared/ipc/keys/keys.ts'
import { lineName, lineValueText } from '../../../../shared/text/comparison-text.ts'
import { remarkText } from '../../../../shared/text/intent-text.ts'
import { grantText } from '../../../../shared/text/signing-text.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import iconStyles from '../../../kit/icons/icon.module.css'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Identicon } from '../../../kit/icons/identicon.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { addressPattern } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { CountdownRing } from '../../../kit/time/countdown-ring.tsx'
import { useNow, zonedMinute } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { AddressText, WholeHex } from '../../../parts/line-value.tsx'
import { useConnectedWallet } from '../../../signing/wallet/wallet-provider.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../keys.module.css'

function Checks({ draft }: { readonly draft: KeyDraft }) {
  const shown = draft.comparison.lines.filter((line) => line.group === 'envelope' || line.id === 'expiresAt')
  return (
    <ul className={styles.checks} aria-label={keysText.checked}>
      {shown.map((line) => {
        const good = line.verdict === 'match'
        const remark = remarkText(line.remark)
        const signed = line.signed === null ? null : lineValueText(line.signed)
        return (
          <li key={line.id} className={good ? undefined : line.verdict === 'differ' ? styles.bad : styles.open}>
            <Icon name={good ? 'check' : line.verdict === 'differ' ? 'x' : 'unknown'} size={14} />
            {remark === null ? lineName(line) : keysText.checkWithRemark(lineName(line), remark)}
            <AddressText text={signed ?? '—'} picture={false} />
          </li>
        )
      })}
    </ul>
  )
}

/** The prepared grant of a key's agent. Shows who may do what, for whom, on which contract and until when. */
export function GrantPanel({
  draft,
  onSign,
  onRenew,
  renewing,
  failure,
}: {
  readonly draft: KeyDraft
  readonly onSign: () => void
  readonly onRenew: () => void
  readonly renewing: boolean
  /** Why the last attempt to prepare the grant again failed; `null` if it didn't. */
  readonly failure: Failure | null
}) {
  const now = useNow(1_000)
  const wallet = useConnectedWallet()
  const over = now >= draft.expiresAtMs
  const blocked = draft.comparison.verdict === 'block'
  return (
    <aside className={cx(panelStyles.panel, styles.grant)} aria-labelledby="grant-title">
      <header>
        <div>
          <h2 id="grant-title">{keysText.grantInWords}</h2>
          <p className={textStyles.muted}>{keysText.signOnceFree}</p>
        </div>
        <CountdownRing untilMs={draft.expiresAtMs} totalMs={draft.expiresAtMs - draft.preparedAtMs} size={56} />
      </header>
      <GrantWords grant={draft.grant} people={[draft.agent, wallet?.address].filter((address) => address != null)} />
      <Checks draft={draft} />
      <footer>
        {over && failure !== null ? <FailureNote failure={failure} /> : null}
        {over && failure === null ? (
          <Note tone="warn" icon="hourglass" title={keysText.grantExpired} live>
            {keysText.grantExpiredAdvice}
          </Note>
        ) : null}
        {over ? (
          <Button size="lg" block variant="primary" icon="refresh" busy={renewing} onClick={onRenew}>
            {keysText.prepareAgain}
          </Button>
        ) : (
          <Button size="lg" block variant={blocked ? 'danger' : 'primary'} icon={blocked ? 'shield-x' : 'phone'} onClick={onSign}>
            {blocked ? keysText.seeWhyRefused : keysText.signInYourWallet}
          </Button>
        )}
        {over ? null : (
          <p className={controlsStyles.help}>
            <Icon name="info" />
            <span>{keysText.keyExistsAfterSigning(zonedMinute(draft.expiresAtMs))}</span>
          </p>
        )}
      </footer>
    </aside>
  )
}

/** Shown before the grant is prepared. Lists what the grant will contain, and has the button that requests the grant. */
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
    <aside className={cx(panelStyles.panel, styles.grant)} aria-labelledby="grant-title">
      <header>
        <div>
          <h2 id="grant-title">{keysText.grantInWords}</h2>
          <p className={textStyles.muted}>{keysText.shownOncePrepared}</p>
        </div>
        <Icon name="bot" size={20} className={iconStyles.dim} />
      </header>
      <div className={cx(styles.words, styles.quiet)}>
        <p>{keysText.grantPreview}</p>
      </div>
      <div className={styles.powers}>
        <May title={keysText.botReadyMay} list={may} allowed />
        <May title={keysText.itMayNot} list={[keysText.withdrawOrMoveCollateral, keysText.createKeysOrDelegate]} allowed={false} />
      </div>
      <footer>
        {children}
        <Button size="lg" block variant="primary" icon="shield" busy={busy} disabled={!ready} onClick={onPrepare}>
          {busy ? keysText.testingKeychain : keysText.prepareGrant}
        </Button>
        <p className={hint === null ? controlsStyles.help : cx(controlsStyles.help, controlsStyles.error)}>
          <Icon name={hint === null ? 'info' : 'stop'} />
          <span>{hint ?? keysText.keychainTestedFirst}</span>
        </p>
      </footer>
    </aside>
  )
}

/** A sentence with its addresses in full. Those of `people` have a picture. */
function Words({ sentence, people }: { readonly sentence: string; readonly people: readonly string[] }) {
  const isPerson = (part: string) => people.some((address) => address.toLowerCase() === part.toLowerCase())
  return (
    <p>
      {sentence.split(addressPattern).map((part, index) =>
        addressPattern.test(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same address may occur in a text twice
          <span className={styles.entity} key={`${index}:${part}`}>
            {isPerson(part) ? <Identicon address={part} /> : null}
            <WholeHex hex={part} />
          </span>
        ) : (
          part
        ),
      )}
    </p>
  )
}

export function May({ title, list, allowed }: { readonly title: string; readonly list: readonly string[]; readonly allowed: boolean }) {
  return (
    <div className={allowed ? undefined : styles.not}>
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

/** The content of a grant in words: who may do what, for whom, on which contract and until when. */
export function GrantWords({ grant, people }: { readonly grant: KeyDraft['grant']; readonly people: readonly string[] }) {
  const { sentence, may, mayNot } = grantText(grant)
  return (
    <>
      <div className={styles.words}>
        <Words sentence={sentence} people={people} />
      </div>
      <div className={styles.powers}>
        <May title={keysText.itMay} list={may} allowed />
        <May title={keysText.itMayNot} list={mayNot} allowed={false} />
      </div>
    </>
  )
}
