import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { CodeId } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../keys.module.css'

/** Text that explains why the keychain refused a secret and what helps. `failure` is `null` before the first retry. */
function keychainWords(failure: Extract<Failure, { kind: 'keychain' }> | null): { readonly title: string; readonly text: string } {
  switch (failure?.code) {
    case undefined:
      return { title: keysText.storeBeforeQuit, text: keysText.storeBeforeQuitAdvice }
    case 'locked':
      return { title: keysText.keychainStillLocked, text: keysText.keychainStillLockedAdvice }
    case 'timeout':
      return { title: keysText.keychainNoResponse, text: keysText.keychainNoResponseAdvice }
    case 'unavailable':
      return { title: keysText.keychainMissing, text: keysText.keychainMissingAdvice }
    case 'invalid':
    case 'failed':
      return { title: keysText.keychainFailedAgain, text: keysText.keychainFailedAgainAdvice }
  }
}

/** Shown after a key was created: where its secret is, and what to do with it. The secret never reaches this window. */
export function SecretStep({ made, onStored }: { readonly made: KeySummary; readonly onStored: (key: KeySummary) => void }) {
  const navigate = useNavigate()
  const toast = useToast()
  const copy = useIpcCommand('keys.copySecret')
  const store = useIpcCommand('keys.retryStore')
  const stored = made.secret === 'keychain'
  const failure = store.error === null ? null : failureOf(store.error)
  const words = keychainWords(failure?.kind === 'keychain' ? failure : null)
  const copySecret = () =>
    copy.mutate({ keyId: made.id }, { onSuccess: () => toast({ tone: 'ok', title: keysText.secretCopied, text: keysText.clipboardClears, action: null }) })
  return (
    <section className={cx(panelStyles.panel, styles.secretStep)} aria-label={keysText.secret}>
      <div className={stored ? styles.secretMark : cx(styles.secretMark, styles.warn)}>
        <Icon name={stored ? 'lock' : 'hourglass'} size={20} />
      </div>
      <div role="status">
        <h2>{stored ? keysText.secretStoredFor(made.label) : keysText.secretOnlyInMemory(made.label)}</h2>
      </div>
      <p className={textStyles.secondary}>{stored ? keysText.secretStoredDetail : keysText.secretOnlyInMemoryDetail}</p>
      {stored ? null : (
        <Note
          tone="warn"
          live
          title={words.title}
          end={
            <Button size="sm" variant="primary" icon="lock" busy={store.isPending} onClick={() => store.mutate({ keyId: made.id }, { onSuccess: onStored })}>
              {keysText.retryKeychain}
            </Button>
          }
        >
          {words.text}
        </Note>
      )}
      {failure === null || failure.kind === 'keychain' ? null : <FailureNote failure={failure} />}
      <Rows ruled className={styles.secretRows}>
        <Row name={keysText.key}>
          <CodeId id={made.id} />
          <CopyButton text={made.id} what={keysText.keyId} />
        </Row>
        <Row name={keysText.secret}>
          <code>{made.masked ?? 'SVC••••••••••••'}</code>
        </Row>
        <Row name={keysText.agent}>{made.agent?.granted === true ? keysText.granted : made.agent === null ? keysText.none : keysText.notGiven}</Row>
        <Row name={keysText.expires}>
          <Time ms={made.expiresAtMs} form="day" />
        </Row>
      </Rows>
      {copy.error === null ? null : <FailureNote failure={failureOf(copy.error)} />}
      <h3>{stored ? keysText.next : keysText.orKeepSecretYourself}</h3>
      {stored ? null : <p className={textStyles.secondary}>{keysText.copyBeforeQuit}</p>}
      <div className={styles.secretNext}>
        {stored && (made.scopes === null || made.scopes.includes('trade:prepare')) ? (
          <Button variant="primary" icon="trade" onClick={() => navigate('trade')}>
            {keysText.tradeWithKey}
          </Button>
        ) : null}
        <Button icon="copy" busy={copy.isPending} onClick={copySecret}>
          {stored ? keysText.copySecretForBot : keysText.copySecret}
        </Button>
        <Button icon="key" onClick={() => navigate(`keys/${made.id}`)}>
          {keysText.showKey}
        </Button>
        <Button variant="ghost" onClick={() => navigate('keys')}>
          {keysText.allKeys}
        </Button>
      </div>
    </section>
  )
}
