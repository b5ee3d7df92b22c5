import { useState } from 'react'
import type { KeySummary } from '../../../shared/ipc/keys.ts'
import type { Profile } from '../../../shared/ipc/profiles.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../ipc/use-desk.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Ring } from '../../ui/countdown-ring.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Note } from '../../ui/note.tsx'
import { useNow } from '../../ui/now.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import { EnvQuestions } from './env-questions.tsx'
import { runCommand } from './run-command.ts'

const clipboardMs = 30 * second

function Place({ secret }: { readonly secret: KeySummary['secret'] }) {
  switch (secret) {
    case 'keychain':
      return (
        <State tone="ok" icon="lock">
          In the system keychain
        </State>
      )
    case 'memory':
      return (
        <State tone="warn" icon="hourglass">
          For this run only
        </State>
      )
    case 'removed':
      return (
        <State tone="off" icon="x">
          Removed
        </State>
      )
    case 'elsewhere':
      return (
        <State tone="off" icon="eye-off">
          Not on this computer
        </State>
      )
  }
}

interface PanelProps {
  readonly entry: KeySummary
  readonly profile: Profile | undefined
  readonly onHandover: () => void
  readonly onAdopt: () => void
  readonly onImport: () => void
}

/** Where the secret is, and the ways out of the keychain to where it is used. None of them goes through this window. */
export function SecretPanel({ entry, profile, onHandover, onAdopt, onImport }: PanelProps) {
  const copy = useDeskCommand('keys.copySecret')
  const reveal = useDeskCommand('secrets.reveal')
  const save = useDeskCommand('secrets.saveEnv')
  const store = useDeskCommand('keys.retryStore')
  const now = useNow(second)
  const [saved, setSaved] = useState<string | null>(null)
  const here = entry.secret === 'keychain' || entry.secret === 'memory'
  const live = entry.status === 'active' || entry.status === 'unknown'
  const clears = copy.data === undefined ? 0 : copy.data.clearsAtMs - now
  const shown = reveal.data === undefined ? 0 : reveal.data.closesAtMs - now
  const failed = [copy.error, reveal.error, save.error, store.error].find((error) => error !== null)
  const command = runCommand({ profile: profile?.name ?? null, key: entry.label, words: ['./bot'] })
  return (
    <Panel title="Secret" end={<Place secret={entry.secret} />} padded className="kd-secret">
      {here ? (
        <>
          <div className="mask">
            <span className="mono">SVC</span>
            <span className="dots" role="img" aria-label="hidden" />
            {clears > 0 ? (
              <span className="clip" role="timer">
                <Ring share={clears / clipboardMs} size={16} />
                Clipboard clears in {Math.ceil(clears / second)} s
              </span>
            ) : shown > 0 ? (
              <span className="clip" role="timer">
                <Icon name="eye" size={14} />
                In its own window, {Math.ceil(shown / second)} s
              </span>
            ) : null}
          </div>
          <div className="acts4">
            <Button size="sm" icon="copy" busy={copy.isPending} onClick={() => copy.mutate({ keyId: entry.id })}>
              Copy
            </Button>
            <Button size="sm" icon="eye" busy={reveal.isPending} onClick={() => reveal.mutate({ keyId: entry.id })}>
              Reveal
            </Button>
            <Button
              size="sm"
              icon="file"
              busy={save.isPending}
              onClick={() => {
                setSaved(null)
                save.mutate({ keyId: entry.id }, { onSuccess: (done) => setSaved(done.state === 'saved' ? done.path : null) })
              }}
            >
              Save .env
            </Button>
            <Button size="sm" icon="server" onClick={onHandover}>
              Hand over
            </Button>
          </div>
          {save.data?.state === 'asks' ? (
            <EnvQuestions
              asked={save.data}
              onDone={(path) => {
                save.reset()
                setSaved(path)
              }}
            />
          ) : null}
          {saved === null ? null : (
            <Note tone="ok" live title="Saved.">
              <code>{saved}</code> can be read by you alone.
            </Note>
          )}
          <div className="cmd">
            <code>
              <i>$</i> {command}
            </code>
            <CopyButton text={command} what="command" />
          </div>
        </>
      ) : (
        <Note
          tone="neutral"
          icon="eye-off"
          title={entry.secret === 'removed' ? 'Its secret was removed here.' : 'Its secret is kept elsewhere.'}
          end={
            live ? (
              <span className="k-acts">
                <Button size="sm" onClick={onImport}>
                  Import it
                </Button>
                <Button size="sm" onClick={onAdopt}>
                  Adopt it
                </Button>
              </span>
            ) : undefined
          }
        >
          {live ? 'Import it from a file or the clipboard, or adopt the key: the service makes a new secret, and the old one stops at once.' : null}
        </Note>
      )}
      {entry.secret === 'memory' ? (
        <Note
          tone="warn"
          title="Kept in memory until the app quits."
          end={
            <Button size="sm" icon="lock" busy={store.isPending} onClick={() => store.mutate({ keyId: entry.id })}>
              Store it
            </Button>
          }
        >
          The keychain did not take it.
        </Note>
      ) : null}
      {failed == null ? null : <FailureNote failure={failureOf(failed)} />}
      <p className="help">
        <Icon name="info" />
        <span>This window never holds the secret itself.</span>
      </p>
    </Panel>
  )
}
