import { useId, useState } from 'react'
import type { z } from 'zod'
import type { HostReport, Profile } from '../../shared/ipc/host/profiles.ts'
import { failureOf } from '../ipc/call-failure.ts'
import { useIpcCommand } from '../ipc/use-ipc.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icons/icon.tsx'
import { Field, Input } from '../kit/input.tsx'
import { Row, Rows } from '../kit/layout/panel.tsx'
import { shorten } from '../kit/number.tsx'
import textStyles from '../kit/text.module.css'
import { kitText } from '../text/en/kit.en.tsx'
import { LateFailureLine, LateFailureNote } from './late-failure.tsx'
import styles from './parts.module.css'

type Report = z.infer<typeof HostReport>

function hostOf(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return url
  }
}

interface HostFormProps {
  readonly onAdded: (profile: Profile) => void
  readonly onCancel?: () => void
  readonly large?: boolean
}

/** The form that adds an exchange by its address. First asks the host which exchange it is, and shows the answer. Then saves it under a name. */
export function HostForm({ onAdded, onCancel, large = false }: HostFormProps) {
  const id = useId()
  const probe = useIpcCommand('profiles.probe')
  const create = useIpcCommand('profiles.create')
  const [url, setUrl] = useState('https://')
  const [name, setName] = useState('')
  const report = probe.data ?? null
  const size = large ? 'lg' : 'md'
  const failure = probe.error === null ? null : failureOf(probe.error)
  // Show a bad address at the field, and a failed connection in a note.
  const inField = failure?.kind === 'host_refused' || failure?.kind === 'bad_input'

  const check = () => {
    create.reset()
    probe.mutate({ hostUrl: url.trim() }, { onSuccess: (answer) => setName(hostOf(answer.hostUrl)) })
  }
  const add = () => {
    if (report !== null && name.trim() !== '') create.mutate({ name: name.trim(), hostUrl: report.hostUrl }, { onSuccess: onAdded })
  }
  return (
    <form
      data-part="host-form"
      className={styles.hostForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (report === null) check()
        else add()
      }}
    >
      <Field
        id={`${id}-url`}
        label={kitText.exchangeAddress}
        help={kitText.exchangeAddressHelp}
        error={inField && failure !== null ? <LateFailureLine failure={failure} /> : undefined}
      >
        <Input
          id={`${id}-url`}
          icon="server"
          mono
          large={large}
          value={url}
          invalid={inField}
          placeholder="https://dex.example"
          onChange={(value) => {
            setUrl(value)
            probe.reset()
            create.reset()
          }}
        />
      </Field>
      {failure !== null && !inField ? <LateFailureNote failure={failure} /> : null}
      {report === null ? null : (
        <>
          <HostFacts report={report} />
          <Field id={`${id}-name`} label={kitText.profileName} help={kitText.profileNameHelp}>
            <Input id={`${id}-name`} large={large} value={name} onChange={setName} maxLength={60} />
          </Field>
        </>
      )}
      {create.error === null ? null : <LateFailureNote failure={failureOf(create.error)} />}
      <div className={styles.hostActions}>
        {report === null ? (
          <Button type="submit" size={size} icon="search" busy={probe.isPending} disabled={url.trim().length <= 'https://'.length}>
            {kitText.checkAddress}
          </Button>
        ) : (
          <Button type="submit" variant="primary" size={size} icon="check" busy={create.isPending} disabled={name.trim() === ''}>
            {kitText.addExchange}
          </Button>
        )}
        {onCancel === undefined ? null : (
          <Button variant="ghost" size={size} onClick={onCancel}>
            {kitText.cancel}
          </Button>
        )}
      </div>
    </form>
  )
}

function HostFacts({ report }: { readonly report: Report }) {
  return (
    <div className={styles.hostFacts} role="status">
      <p>
        <Icon name="shield-check" className={textStyles.ok} />
        <b>{kitText.exchangeResponded}</b>
        <span className={textStyles.muted}>{kitText.latency(report.latencyMs)}</span>
      </p>
      <Rows>
        <Row name={kitText.version}>
          {report.apiVersion ?? '—'} {report.schema === null ? null : <span className={textStyles.muted}>{report.schema}</span>}
        </Row>
        <Row name={kitText.router}>{report.router === null ? '—' : <code title={report.router}>{shorten(report.router)}</code>}</Row>
      </Rows>
    </div>
  )
}
