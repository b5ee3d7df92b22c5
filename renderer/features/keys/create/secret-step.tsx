import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
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
import styles from '../keys.module.css'

/** Why the keychain did not take a secret that is here already, and what helps. null: it was not tried again yet. */
function keychainWords(failure: Extract<Failure, { kind: 'keychain' }> | null): { readonly title: string; readonly text: string } {
  switch (failure?.code) {
    case undefined:
      return { title: 'Store it before you quit.', text: 'Unlock the keychain, then try again.' }
    case 'locked':
      return { title: 'The keychain is still locked.', text: 'Unlock it, then try again.' }
    case 'timeout':
      return { title: 'The keychain did not answer.', text: 'It may be asking for its password behind a window.' }
    case 'unavailable':
      return { title: 'There is no keychain.', text: 'Start it, then try again.' }
    case 'invalid':
    case 'failed':
      return { title: 'The keychain failed again.', text: 'Restart it, then try again.' }
  }
}

/** The key exists: where its secret is, and what to do with it. The secret itself never comes to this window. */
export function SecretStep({ made, onStored }: { readonly made: KeySummary; readonly onStored: (key: KeySummary) => void }) {
  const navigate = useNavigate()
  const toast = useToast()
  const copy = useDeskCommand('keys.copySecret')
  const store = useDeskCommand('keys.retryStore')
  const stored = made.secret === 'keychain'
  const failure = store.error === null ? null : failureOf(store.error)
  const words = keychainWords(failure?.kind === 'keychain' ? failure : null)
  const copySecret = () =>
    copy.mutate(
      { keyId: made.id },
      { onSuccess: () => toast({ tone: 'ok', title: 'Secret copied', text: 'The clipboard clears itself in 30 s.', action: null }) },
    )
  return (
    <section className={cx(panelStyles.panel, styles.secretStep)} aria-label="Secret">
      <div className={stored ? styles.secretMark : cx(styles.secretMark, styles.warn)}>
        <Icon name={stored ? 'lock' : 'hourglass'} size={20} />
      </div>
      <h2 role="status">{stored ? `${made.label} is in the keychain, read back` : `${made.label} exists, its secret is only in memory`}</h2>
      <p className={textStyles.secondary}>
        {stored
          ? 'The service gave its secret once. It went straight into the system keychain and was read back before this screen came.'
          : 'The keychain did not take the secret. It is lost when the app quits, and the service gives it only once.'}
      </p>
      {stored ? null : (
        <Note
          tone="warn"
          live
          title={words.title}
          end={
            <Button size="sm" variant="primary" icon="lock" busy={store.isPending} onClick={() => store.mutate({ keyId: made.id }, { onSuccess: onStored })}>
              Try the keychain again
            </Button>
          }
        >
          {words.text}
        </Note>
      )}
      {failure === null || failure.kind === 'keychain' ? null : <FailureNote failure={failure} />}
      <Rows ruled className={styles.secretRows}>
        <Row name="Key">
          <CodeId id={made.id} />
          <CopyButton text={made.id} what="key id" />
        </Row>
        <Row name="Secret">
          <code>{made.masked ?? 'SVC••••••••••••'}</code>
        </Row>
        <Row name="Agent">{made.agent?.granted === true ? 'Granted' : made.agent === null ? 'None' : 'Not said'}</Row>
        <Row name="Ends">
          <Time ms={made.expiresAtMs} form="day" />
        </Row>
      </Rows>
      {copy.error === null ? null : <FailureNote failure={failureOf(copy.error)} />}
      <h3>{stored ? 'Next' : 'Or keep it yourself'}</h3>
      {stored ? null : <p className={textStyles.secondary}>Copy it while the app runs. The clipboard clears itself in 30 s.</p>}
      <div className={styles.secretNext}>
        {stored && (made.scopes === null || made.scopes.includes('trade:prepare')) ? (
          <Button variant="primary" icon="trade" onClick={() => navigate('trade')}>
            Trade with it
          </Button>
        ) : null}
        <Button icon="copy" busy={copy.isPending} onClick={copySecret}>
          {stored ? 'Copy the secret for a bot' : 'Copy the secret'}
        </Button>
        <Button icon="key" onClick={() => navigate(`keys/${made.id}`)}>
          Show the key
        </Button>
        <Button variant="ghost" onClick={() => navigate('keys')}>
          All keys
        </Button>
      </div>
    </section>
  )
}
