import type { KeySummary } from '../../../shared/ipc/keys.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../ipc/use-desk.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useNavigate } from '../../ui/navigation.tsx'
import { Note } from '../../ui/note.tsx'
import { Row, Rows } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'

/** The key exists: where its secret is, and what to do with it. The secret itself never comes to this window. */
export function SecretStep({ made, onStored }: { readonly made: KeySummary; readonly onStored: (key: KeySummary) => void }) {
  const navigate = useNavigate()
  const toast = useToast()
  const copy = useDeskCommand('keys.copySecret')
  const store = useDeskCommand('keys.retryStore')
  const stored = made.secret === 'keychain'
  const copySecret = () =>
    copy.mutate(
      { keyId: made.id },
      { onSuccess: () => toast({ tone: 'ok', title: 'Secret copied', text: 'The clipboard clears itself in 30 s.', action: null }) },
    )
  return (
    <section className="panel sec" aria-label="Secret">
      <div className={stored ? 'sec-mark' : 'sec-mark warn'}>
        <Icon name={stored ? 'lock' : 'hourglass'} size={20} />
      </div>
      <h2 role="status">{stored ? `${made.label} is in the keychain, read back` : `${made.label} exists, and its secret is kept for this run only`}</h2>
      <p className="t2">
        {stored
          ? 'The service gave its secret once. It went straight into the system keychain and was read back before this screen came.'
          : 'The keychain did not take the secret. It is gone when the app quits, and the service will not give it again.'}
      </p>
      {stored ? null : (
        <Note
          tone="warn"
          title="Store it before you quit."
          end={
            <Button size="sm" variant="primary" icon="lock" busy={store.isPending} onClick={() => store.mutate({ keyId: made.id }, { onSuccess: onStored })}>
              Try the keychain again
            </Button>
          }
        >
          Unlock the keychain first.
        </Note>
      )}
      {store.error === null ? null : <FailureNote failure={failureOf(store.error)} />}
      <Rows ruled className="sec-rows">
        <Row name="Key">
          <code>{made.id}</code>
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
      <h3>Next</h3>
      <div className="sec-next">
        <Button variant="primary" icon="trade" onClick={() => navigate('trade')}>
          Trade with it
        </Button>
        <Button icon="copy" busy={copy.isPending} onClick={copySecret}>
          Copy the secret for a bot
        </Button>
        <Button variant="ghost" onClick={() => navigate('keys')}>
          All keys
        </Button>
      </div>
    </section>
  )
}
