import { useDeskCommand, useDeskQuery } from '../ipc/use-desk.ts'
import { Icon } from '../kit/icons/icon.tsx'
import { useNavigate } from '../kit/layout/navigation.tsx'
import { Menu, type MenuEntry } from '../kit/overlay/menu.tsx'

/** Which exchange the window is for, and the way to another. */
export function ProfileMenu() {
  const list = useDeskQuery('profiles.list', {})
  const select = useDeskCommand('profiles.select')
  const practise = useDeskCommand('practice.start')
  const leave = useDeskCommand('practice.leave')
  const navigate = useNavigate()
  const profiles = list.data?.profiles ?? []
  const active = profiles.find((profile) => profile.id === list.data?.activeId)
  if (active === undefined) return null
  const kind = active.kind === 'practice' ? 'Practice' : 'Live'
  const entries: MenuEntry[] = [
    { type: 'heading', label: 'Exchanges' },
    ...profiles.map(
      (profile): MenuEntry => ({
        label: profile.name,
        checked: profile.id === active.id,
        note: profile.kind === 'practice' ? 'on this computer' : (profile.hostUrl ?? '').replace(/^https?:\/\//, ''),
        onSelect: () => {
          if (profile.id !== active.id) select.mutate({ id: profile.id })
        },
      }),
    ),
    ...(profiles.some((profile) => profile.kind === 'practice')
      ? []
      : [{ label: 'Practice', icon: 'flask', note: 'on this computer', onSelect: () => practise.mutate({}) } satisfies MenuEntry]),
    { type: 'separator' },
    { label: 'Add an exchange', icon: 'plus', onSelect: () => navigate('settings/exchanges?add=1') },
    { label: 'Manage exchanges', icon: 'settings', onSelect: () => navigate('settings/exchanges') },
    ...(active.kind === 'practice' ? [{ label: 'Leave practice', icon: 'arrow-right', onSelect: () => leave.mutate({}) } satisfies MenuEntry] : []),
  ]
  return (
    <Menu
      label="Exchanges"
      entries={entries}
      trigger={(props) => (
        <button type="button" className="profile" aria-label={`Exchange: ${active.name}, ${kind.toLowerCase()}`} {...props}>
          {active.kind === 'practice' ? <Icon name="flask" size={14} /> : <span className="profile-dot" />}
          <b>{active.name}</b>
          {active.kind === 'practice' && active.name === 'Practice' ? null : <span className="profile-kind">{kind}</span>}
          <Icon name="select" className="dim" />
        </button>
      )}
    />
  )
}
