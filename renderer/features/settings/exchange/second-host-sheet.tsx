import { useRef, useState } from 'react'
import type { Profile } from '../../../../shared/ipc/host/profiles.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { WholeValue } from '../../../parts/line-value.tsx'
import { settingsText } from '../../../text/en/settings.en.tsx'
import styles from '../settings.module.css'

const hostOf = (url: string): string => URL.parse(url)?.host ?? url

/** Sets a second host for reads. The app sends API keys there too, so the user confirms the host after it has responded like the service. */
export function SecondHostSheet({ profile, onClose }: { readonly profile: Profile; readonly onClose: () => void }) {
  const probe = useIpcCommand('profiles.probe')
  const save = useIpcCommand('profiles.setSecondHost')
  const input = useRef<HTMLInputElement>(null)
  const [url, setUrl] = useState(profile.secondHostUrl ?? profile.secondHostOffered ?? 'https://')
  const [agreed, setAgreed] = useState(false)
  const report = probe.data ?? null
  const host = report === null ? null : hostOf(report.hostUrl)
  const sameRouter = report?.router == null || profile.pinnedRouter === null || report.router.toLowerCase() === profile.pinnedRouter.toLowerCase()
  const failure = probe.error ?? save.error
  const keep = (hostUrl: string | null, confirmHost: string | null) => save.mutate({ id: profile.id, hostUrl, confirmHost }, { onSuccess: onClose })
  const go = () => {
    if (report === null || host === null) probe.mutate({ hostUrl: url.trim() })
    else if (agreed) keep(report.hostUrl, host)
  }
  return (
    <Sheet
      title={settingsText.secondHostOf(profile.name)}
      lead={settingsText.secondHostLead}
      icon="server"
      className={styles.secondHost}
      onClose={onClose}
      initialFocus={input}
    >
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          go()
        }}
      >
        <Field
          id="second-host"
          label={settingsText.secondHostAddress}
          end={profile.secondHostUrl === null ? settingsText.noSecondHost : settingsText.currentSecondHost(hostOf(profile.secondHostUrl))}
          help={settingsText.secondHostHelp}
        >
          <Input
            id="second-host"
            ref={input}
            icon="server"
            mono
            value={url}
            placeholder="https://dex2.example"
            onChange={(value) => {
              setUrl(value)
              setAgreed(false)
              probe.reset()
              save.reset()
            }}
          />
        </Field>
        {report === null || host === null ? null : (
          <div className={styles.secondHostFacts} role="status">
            <Rows>
              <Row name={settingsText.host}>
                <code>{host}</code>
              </Row>
              <Row name={settingsText.responseTime}>{settingsText.milliseconds(report.latencyMs)}</Row>
              <Row name={settingsText.version}>
                {report.apiVersion ?? '—'} {report.schema === null ? null : <span className={textStyles.muted}>{report.schema}</span>}
              </Row>
              <Row name={settingsText.routerLabel}>{report.router === null ? '—' : <WholeValue text={report.router} />}</Row>
            </Rows>
            {sameRouter ? null : (
              <Note tone="danger" icon="warn" title={settingsText.otherRouterThanTrusted}>
                {settingsText.mayBeAnotherExchange}
              </Note>
            )}
            <Checkbox checked={agreed} onChange={setAgreed}>
              {settingsText.sendKeysToSecondHost(host)}
            </Checkbox>
          </div>
        )}
        {failure === null ? null : <FailureNote failure={failureOf(failure)} />}
        <button type="submit" hidden />
      </form>
      <SheetFoot
        verdict={
          profile.secondHostUrl === null ? null : (
            <Button variant="ghost" busy={save.isPending} onClick={() => keep(null, null)}>
              {settingsText.removeSecondHost}
            </Button>
          )
        }
      >
        <Button variant="ghost" kbd={[settingsText.esc]} onClick={onClose}>
          {settingsText.cancel}
        </Button>
        {report === null ? (
          <Button variant="primary" icon="search" busy={probe.isPending} disabled={url.trim().length <= 'https://'.length} onClick={go}>
            {settingsText.checkAddress}
          </Button>
        ) : (
          <Button variant="primary" icon="check" busy={save.isPending} disabled={!agreed} onClick={go}>
            {settingsText.useThisHost}
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}
