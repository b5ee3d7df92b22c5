import { useState } from 'react'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { Input } from '../../kit/input.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'

/** The relay takes ids of 32 hex digits. */
const projectIdShape = /^[0-9a-f]{32}$/i

export function WalletPanel() {
  const settings = useDeskQuery('app.settings', {})
  const info = useDeskQuery('app.info', {})
  const save = useDeskCommand('app.saveSettings')
  const open = useDeskCommand('app.openExternal')
  const toast = useToast()
  const stored = settings.data?.projectId ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const value = typed ?? stored
  const wrong = value !== '' && !projectIdShape.test(value)
  const keep = (projectId: string | null) =>
    save.mutate(
      { projectId },
      {
        onSuccess: () => {
          setTyped(null)
          toast({ tone: 'ok', title: 'Project id saved', text: 'It is used for the next connection.', action: null })
        },
      },
    )
  return (
    <div id="settings-wallet">
      <Panel title="Wallet connection" padded>
        <form
          className="set-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (!wrong && value !== stored) keep(value === '' ? null : value)
          }}
        >
          <Field
            id="project-id"
            label="WalletConnect project id"
            help="Empty uses the one of this build. Practice needs none."
            warning={info.data?.hasProjectId === false && stored === '' ? 'This build has none. Real wallets cannot connect until one is set.' : undefined}
            error={wrong ? 'A project id has 32 digits, from 0 to 9 and a to f.' : undefined}
          >
            <Input id="project-id" mono value={value} invalid={wrong} onChange={(next) => setTyped(next.trim())} placeholder="32 digits" />
          </Field>
          {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
          <div className="set-acts">
            <Button type="submit" busy={save.isPending} disabled={wrong || value === stored}>
              Save
            </Button>
            {stored === '' ? null : (
              <Button variant="ghost" onClick={() => keep(null)}>
                Use the build’s own
              </Button>
            )}
            <Button variant="ghost" icon="external" onClick={() => open.mutate({ page: 'walletconnect_projects', id: null })}>
              Get one, free
            </Button>
          </div>
        </form>
      </Panel>
    </div>
  )
}
