import type { Profile } from '../../../../shared/ipc/host/profiles.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { runCommand } from '../../../../shared/snippets/snippet.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { SecretOutlets, SecretPlace, useEnvSave } from '../../../parts/secret-outlets.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import keyDetailStyles from '../key-detail.module.css'
import keysStyles from '../keys.module.css'

interface PanelProps {
  readonly entry: KeySummary
  readonly profile: Profile | undefined
  readonly onHandover: () => void
  readonly onAdopt: () => void
  readonly onImport: () => void
}

/** Where a key's secret is stored, and the ways to deliver it from the keychain to a program. The secret never reaches this window. */
export function SecretPanel({ entry, profile, onHandover, onAdopt, onImport }: PanelProps) {
  const copy = useIpcCommand('keys.copySecret')
  const reveal = useIpcCommand('secrets.reveal')
  const save = useEnvSave((call) => call('secrets.saveEnv', { keyId: entry.id }))
  const store = useIpcCommand('keys.retryStore')
  const here = entry.secret === 'keychain' || entry.secret === 'memory'
  const live = isLiveKey(entry)
  const failed = [copy.error, reveal.error, store.error].find((error) => error !== null)
  const command = runCommand({ profile: profile?.name ?? null, of: { key: entry.label }, words: ['./bot'] })
  return (
    <Panel title={keysText.secret} end={<SecretPlace secret={entry.secret} />} padded className={keyDetailStyles.keyDetailSecret}>
      {here ? (
        <SecretOutlets
          prefix="SVC"
          copy={{ busy: copy.isPending, untilMs: copy.data?.clearsAtMs ?? 0, press: () => copy.mutate({ keyId: entry.id }) }}
          reveal={{ busy: reveal.isPending, untilMs: reveal.data?.closesAtMs ?? 0, press: () => reveal.mutate({ keyId: entry.id }) }}
          save={save}
          onHandover={onHandover}
          command={command}
        />
      ) : (
        <Note
          tone="neutral"
          icon="eye-off"
          title={entry.secret === 'removed' ? keysText.secretRemovedHere : keysText.secretElsewhere}
          end={
            live ? (
              <span className={keysStyles.actions}>
                <Button size="sm" onClick={onImport}>
                  {keysText.importSecret}
                </Button>
                <Button size="sm" onClick={onAdopt}>
                  {keysText.adoptKey}
                </Button>
              </span>
            ) : undefined
          }
        >
          {live ? keysText.importOrAdopt : null}
        </Note>
      )}
      {entry.secret === 'memory' ? (
        <Note
          tone="warn"
          title={keysText.keptInMemory}
          end={
            <Button size="sm" icon="lock" busy={store.isPending} onClick={() => store.mutate({ keyId: entry.id })}>
              {keysText.storeSecret}
            </Button>
          }
        >
          {keysText.keptInMemoryAdvice}
        </Note>
      ) : null}
      {failed == null ? null : <FailureNote failure={failureOf(failed)} />}
      {save.failure === null ? null : <FailureNote failure={save.failure} />}
      <p className={controlsStyles.help}>
        <Icon name="info" />
        <span>{keysText.windowNeverHoldsSecret}</span>
      </p>
    </Panel>
  )
}
