import type { ReceiverTestSetup } from '../../../../shared/ipc/webhooks/receiver-test.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import { Menu } from '../../../kit/overlay/menu.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { SecretMask } from '../../../parts/secret-outlets.tsx'

type SignWith = ReceiverTestSetup['signWith']

/** A secret for tests alone: made in main, given to the receiver by the clipboard or from a window of its own. */
function Throwaway({ made }: { readonly made: boolean }) {
  const make = useDeskCommand('receiverTest.makeThrowaway')
  const copy = useDeskCommand('receiverTest.copyThrowaway')
  const reveal = useDeskCommand('receiverTest.revealThrowaway')
  const failed = [make.error, copy.error, reveal.error].find((error) => error !== null)
  // The former is of no use any more, wherever it still is.
  const makeAnew = () => {
    for (const way of [copy, reveal]) way.reset()
    make.mutate({})
  }
  return (
    <>
      {made ? (
        <div className="rt-secret">
          <div className="grow">
            <SecretMask prefix="svc_whsec_" copiedUntilMs={copy.data?.clearsAtMs ?? 0} shownUntilMs={reveal.data?.closesAtMs ?? 0} />
          </div>
          <Button icon="copy" busy={copy.isPending} onClick={() => copy.mutate({})}>
            Copy
          </Button>
          <Button icon="eye" busy={reveal.isPending} onClick={() => reveal.mutate({})}>
            Reveal
          </Button>
          <IconButton variant="standard" icon="refresh" label="Make another" busy={make.isPending} onClick={makeAnew} />
        </div>
      ) : (
        <div>
          <Button icon="key" busy={make.isPending} onClick={makeAnew}>
            Make a throwaway secret
          </Button>
        </div>
      )}
      {failed == null ? null : <FailureNote failure={failureOf(failed)} />}
    </>
  )
}

function KeptWebhook({ chosen, onChoose }: { readonly chosen: string; readonly onChoose: (id: string, url: string) => void }) {
  const kept = useDeskQuery('webhooks.kept', {})
  const webhooks = kept.data ?? []
  if (kept.data !== undefined && webhooks.length === 0) return <p className="muted">No signing secret of a webhook is kept on this computer.</p>
  return (
    <div>
      <Menu
        label="Webhooks"
        trigger={(props) => (
          <Button icon="webhook" className="rt-pick" {...props}>
            <span className="cut">{webhooks.find(({ id }) => id === chosen)?.url ?? 'Choose a webhook'}</span>
          </Button>
        )}
        entries={webhooks.map(({ id, url }) => ({ label: url, note: id, checked: id === chosen, onSelect: () => onChoose(id, url) }))}
      />
    </div>
  )
}

interface SecretProps {
  readonly signWith: SignWith
  /** Whether a throwaway secret is there. */
  readonly throwaway: boolean
  /** It was wanted and is not there yet. */
  readonly missing: boolean
  /** `url`: where the deliveries of the chosen webhook go. */
  readonly onChange: (signWith: SignWith, url?: string) => void
}

/** What the deliveries are signed with. */
export function ReceiverTestSecret({ signWith, throwaway, missing, onChange }: SecretProps) {
  const isThrowaway = signWith.kind === 'throwaway'
  const help = isThrowaway
    ? 'Give it to your receiver as its signing secret, then run the test. No webhook has it, and it is gone when the app quits.'
    : 'Your receiver has this one already. A secret that is not kept here cannot be typed: this window never holds one. svc-desk test-receiver takes it from a variable.'
  return (
    <div className="field">
      <span className="label">Signed with</span>
      <Segments
        label="Signed with"
        value={signWith.kind}
        choices={[
          { value: 'throwaway', label: 'A throwaway secret' },
          { value: 'webhook', label: 'The secret of a webhook' },
        ]}
        onChange={(kind) => onChange(kind === 'throwaway' ? { kind } : { kind, webhookId: '' })}
      />
      {isThrowaway ? (
        <Throwaway made={throwaway} />
      ) : (
        <KeptWebhook chosen={signWith.webhookId} onChoose={(webhookId, url) => onChange({ kind: 'webhook', webhookId }, url)} />
      )}
      <p className={missing ? 'help error' : 'help'} role={missing ? 'alert' : undefined}>
        {missing ? <Icon name="stop" /> : null}
        <span>{missing ? (isThrowaway ? 'Make one first, and give it to your receiver.' : 'Choose the webhook whose secret your receiver has.') : help}</span>
      </p>
    </div>
  )
}
