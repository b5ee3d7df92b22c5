import { useRef, useState } from 'react'
import type { Profile } from '../../../../shared/ipc/host/profiles.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import buttonStyles from '../../../kit/button.module.css'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Menu } from '../../../kit/overlay/menu.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { ConfirmName } from '../../../parts/confirm-name.tsx'
import { FailureNote, FailurePanel } from '../../../parts/failure-note.tsx'
import { HelpButton } from '../../../parts/help/help-link.tsx'
import { HostForm } from '../../../parts/host-form.tsx'
import { WholeHex } from '../../../parts/line-value.tsx'
import { settingsText } from '../../../text/en/settings.en.tsx'
import { profileName } from '../../../text/service-state.ts'
import styles from '../settings.module.css'
import { SecondHostSheet } from './second-host-sheet.tsx'

/** Every exchange profile that the app knows. Each has its own secrets, journal and keychain entries. */
export function ExchangesPanel({ adding }: { readonly adding: boolean }) {
  const list = useIpcQuery('profiles.list', {})
  const select = useIpcCommand('profiles.select')
  const practise = useIpcCommand('practice.start')
  const remove = useIpcCommand('profiles.remove')
  const navigate = useNavigate()
  const [removing, setRemoving] = useState<Profile | null>(null)
  const [rpc, setRpc] = useState<Profile | null>(null)
  const [second, setSecond] = useState<Profile | null>(null)
  const profiles = list.data?.profiles ?? []
  const failure = select.error ?? practise.error
  return (
    <div id="settings-exchanges">
      <Panel
        title={settingsText.exchanges}
        count={profiles.length}
        end={
          <>
            {profiles.some((profile) => profile.kind === 'practice') ? null : (
              <Button size="xs" variant="ghost" icon="flask" busy={practise.isPending} onClick={() => practise.mutate({})}>
                {settingsText.startPractice}
              </Button>
            )}
            {adding ? null : (
              <Button size="xs" icon="plus" onClick={() => navigate('settings/exchanges?add=1')}>
                {settingsText.addExchange}
              </Button>
            )}
            <HelpButton topic="settings/exchanges" />
          </>
        }
      >
        {list.error === null ? null : <FailurePanel failure={failureOf(list.error)} onRetry={() => void list.refetch()} retrying={list.isFetching} />}
        {failure === null ? null : (
          <div className={styles.settingsNote}>
            <FailureNote failure={failureOf(failure)} />
          </div>
        )}
        <ul className={styles.settingsList}>
          {profiles.map((profile) => (
            <ProfileLine
              key={profile.id}
              profile={profile}
              active={profile.id === list.data?.activeId}
              onSelect={() => select.mutate({ id: profile.id })}
              selecting={select.isPending && select.variables.id === profile.id}
              onRpc={() => setRpc(profile)}
              onSecondHost={() => setSecond(profile)}
              onRemove={() => {
                remove.reset()
                setRemoving(profile)
              }}
            />
          ))}
        </ul>
        {adding ? (
          <div className={styles.settingsAdd}>
            <HostForm onAdded={() => navigate('settings/exchanges')} onCancel={() => navigate('settings/exchanges')} />
          </div>
        ) : null}
      </Panel>
      {removing === null ? null : (
        <ConfirmName
          title={settingsText.removeExchange(removing.name)}
          effect={settingsText.removeExchangeEffect}
          name={removing.name}
          confirmLabel={settingsText.remove}
          keepLabel={settingsText.keepExchange}
          busy={remove.isPending}
          failure={remove.error === null ? null : failureOf(remove.error)}
          onConfirm={() => remove.mutate({ id: removing.id, confirmName: removing.name }, { onSuccess: () => setRemoving(null) })}
          onClose={() => setRemoving(null)}
        />
      )}
      {rpc === null ? null : <RpcSheet profile={rpc} onClose={() => setRpc(null)} />}
      {second === null ? null : <SecondHostSheet profile={second} onClose={() => setSecond(null)} />}
    </div>
  )
}

interface LineProps {
  readonly profile: Profile
  readonly active: boolean
  readonly selecting: boolean
  readonly onSelect: () => void
  readonly onRpc: () => void
  readonly onSecondHost: () => void
  readonly onRemove: () => void
}

function ProfileLine({ profile, active, selecting, onSelect, onRpc, onSecondHost, onRemove }: LineProps) {
  const practice = profile.kind === 'practice'
  return (
    <li aria-label={profileName(profile)}>
      <span className={practice ? cx(styles.settingsMark, styles.practice) : styles.settingsMark}>
        <Icon name={practice ? 'flask' : 'server'} size={20} />
      </span>
      <div className={textStyles.grow}>
        <p className={styles.settingsName}>
          <b>{profileName(profile)}</b>
          {practice ? <Chip tone="practice">{settingsText.practice}</Chip> : <Chip>{settingsText.live}</Chip>}
          {active ? (
            <Chip tone="ok" icon="check">
              {settingsText.inUse}
            </Chip>
          ) : null}
        </p>
        <p className={styles.settingsFacts}>
          <code>{profile.hostUrl === null ? settingsText.onThisComputer : profile.hostUrl.replace(/^https?:\/\//, '')}</code>
          {profile.secondHostUrl === null ? null : (
            <span>{settingsText.secondHostForReads(<code>{profile.secondHostUrl.replace(/^https?:\/\//, '')}</code>)}</span>
          )}
          <span>{profile.rpcHost === null ? settingsText.rpcDefault : settingsText.rpc(<code>{profile.rpcHost}</code>)}</span>
          <span>{profile.pinnedRouter === null ? settingsText.routerUnconfirmed : settingsText.routerIs(<WholeHex hex={profile.pinnedRouter} />)}</span>
        </p>
      </div>
      {active ? null : (
        <Button size="sm" busy={selecting} onClick={onSelect}>
          {settingsText.switchToExchange}
        </Button>
      )}
      <Menu
        label={settingsText.actionsFor(profileName(profile))}
        align="end"
        entries={[
          ...(practice ? [] : [{ label: settingsText.setRpcEndpoint, icon: 'globe' as const, onSelect: onRpc }]),
          ...(practice && profile.secondHostOffered === null
            ? []
            : [
                {
                  label: profile.secondHostUrl === null ? settingsText.addSecondHost : settingsText.changeSecondHost,
                  icon: 'server' as const,
                  onSelect: onSecondHost,
                },
              ]),
          { label: settingsText.remove, icon: 'trash', danger: true, onSelect: onRemove },
        ]}
        trigger={(props) => (
          <button
            type="button"
            className={cx(buttonStyles.button, buttonStyles.icon, buttonStyles.sm, buttonStyles.ghost)}
            aria-label={settingsText.actionsFor(profileName(profile))}
            {...props}
          >
            <Icon name="more" />
          </button>
        )}
      />
    </li>
  )
}

/** Sets the RPC of the chain. The URL may contain a key, so main encrypts it and returns only the host. */
function RpcSheet({ profile, onClose }: { readonly profile: Profile; readonly onClose: () => void }) {
  const save = useIpcCommand('profiles.setRpc')
  const input = useRef<HTMLInputElement>(null)
  const [url, setUrl] = useState('')
  const keep = (rpcUrl: string | null) => save.mutate({ id: profile.id, rpcUrl }, { onSuccess: onClose })
  return (
    <Sheet
      title={settingsText.rpcEndpointOf(profile.name)}
      lead={settingsText.rpcEndpointLead}
      icon="globe"
      className={styles.rpc}
      onClose={onClose}
      initialFocus={input}
    >
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          if (url.trim() !== '') keep(url.trim())
        }}
      >
        <Field
          id="rpc-url"
          label="URL"
          end={profile.rpcHost === null ? settingsText.currentRpcDefault : settingsText.currentRpc(profile.rpcHost)}
          help={settingsText.rpcHelp}
        >
          <Input id="rpc-url" ref={input} type="password" mono value={url} onChange={setUrl} placeholder="https://" />
        </Field>
        {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
        <button type="submit" hidden />
      </form>
      <SheetFoot
        verdict={
          profile.rpcHost === null ? null : (
            <Button variant="ghost" onClick={() => keep(null)}>
              {settingsText.useDefault}
            </Button>
          )
        }
      >
        <Button variant="ghost" kbd={[settingsText.esc]} onClick={onClose}>
          {settingsText.cancel}
        </Button>
        <Button variant="primary" disabled={url.trim() === ''} busy={save.isPending} onClick={() => keep(url.trim())}>
          {settingsText.save}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
