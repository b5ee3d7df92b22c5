import { type ReactNode, useId, useState } from 'react'
import { failureOf } from '../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../ipc/use-ipc.ts'
import { Button } from '../kit/button.tsx'
import { Field, Input } from '../kit/input.tsx'
import { partsText } from '../text/en/parts.en.tsx'
import { LateFailureNote } from './late-failure.tsx'
import styles from './parts.module.css'

/** The form of a WalletConnect project id: 32 hex digits. The relay accepts no other. */
const projectIdShape = /^[0-9a-f]{32}$/i

interface ProjectIdFormProps {
  /** True to use large controls and a primary button, where saving is the main action of the page. */
  readonly large?: boolean
  /** More actions, placed after the form's own. */
  readonly children?: ReactNode
}

/** The form for the WalletConnect project id. After saving, the main process shows a notice, and reloads the page if no wallet is connected. */
export function ProjectIdForm({ large = false, children }: ProjectIdFormProps) {
  const id = useId()
  const settings = useIpcQuery('app.settings', {})
  const info = useIpcQuery('app.info', {})
  const save = useIpcCommand('app.saveSettings')
  const open = useIpcCommand('app.openExternal')
  const stored = settings.data?.projectId ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const value = typed ?? stored
  const wrong = value !== '' && !projectIdShape.test(value)
  const size = large ? 'lg' : 'md'
  const keep = (projectId: string | null) => save.mutate({ projectId }, { onSuccess: () => setTyped(null) })
  return (
    <form
      className={styles.projectId}
      onSubmit={(event) => {
        event.preventDefault()
        if (!wrong && value !== stored) keep(value === '' ? null : value)
      }}
    >
      <Field
        id={id}
        label={partsText.projectId}
        help={partsText.projectIdHelp}
        warning={info.data?.hasProjectId === false && stored === '' ? partsText.buildHasNoProjectId : undefined}
        error={wrong ? partsText.projectIdShape : undefined}
      >
        <Input
          id={id}
          mono
          large={large}
          value={value}
          invalid={wrong}
          onChange={(next) => setTyped(next.trim())}
          placeholder={partsText.projectIdPlaceholder}
        />
      </Field>
      {save.error === null ? null : <LateFailureNote failure={failureOf(save.error)} />}
      <div className={styles.projectIdActions}>
        <Button type="submit" variant={large ? 'primary' : 'standard'} size={size} busy={save.isPending} disabled={wrong || value === stored}>
          {partsText.save}
        </Button>
        {stored === '' ? null : (
          <Button variant="ghost" size={size} onClick={() => keep(null)}>
            {partsText.useBuildProjectId}
          </Button>
        )}
        <Button variant="ghost" size={size} icon="external" onClick={() => open.mutate({ page: 'walletconnect_projects', id: null })}>
          {partsText.getProjectId}
        </Button>
        {children}
      </div>
    </form>
  )
}
