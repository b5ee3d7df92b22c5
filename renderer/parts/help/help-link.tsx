import { useState } from 'react'
import { type ButtonSize, IconButton } from '../../kit/button.tsx'
import { late } from '../../kit/layout/late.tsx'
import { type Place, useNavigate } from '../../kit/layout/navigation.tsx'
import { appText } from '../../text/en/app.en.tsx'

/** The help section for each place in the app, as `page#section` of `build/docs`. A test checks that each section exists. */
export const helpTopics = {
  overview: 'window#overview',
  trade: 'orders#fill-in-the-ticket',
  'trade/stop': 'orders#kill-switch',
  'trade/collateral': 'orders#collateral',
  account: 'account#your-account',
  markets: 'markets#market-table',
  keys: 'keys',
  'keys/new': 'keys#create-a-key',
  'keys/leaks': 'keys#find-leaked-keys',
  'keys/expiry': 'keys#see-what-expires',
  'keys/gateway': 'gateway#add-a-bot',
  'keys/revoke-all': 'keys#revoke-keys',
  webhooks: 'webhooks#subscriptions',
  'webhooks/lab': 'webhooks#receiver-lab',
  'webhooks/gaps': 'webhooks#gap-check',
  'webhooks/inspector': 'webhooks#inspector',
  activity: 'account#activity',
  settings: 'window#settings',
  'settings/exchanges': 'start#connect-a-real-exchange',
  'settings/risk-limits': 'orders#risk-limits',
  'settings/service': 'polling#what-the-service-publishes',
  'settings/check': 'polling#service-check',
  'settings/fields': 'orders#expert-mode-and-the-field-map',
  'settings/background': 'background',
  'settings/updates': 'background#updates',
  'settings/lock': 'lock',
  'settings/wallet': 'faq#the-relay-does-not-know-this-app',
  'settings/terminal': 'terminal#permission',
  'settings/backup': 'moving',
  help: 'window#help',
  connect: 'start#connect-your-wallet',
  welcome: 'start',
  signing: 'orders#check-before-you-sign',
} as const

export type HelpTopic = keyof typeof helpTopics

/** The help topic for an address. If the open part of the page has its own topic, returns that topic; otherwise the topic of the page. */
export function topicOf({ name, rest }: Place): HelpTopic {
  const part = `${name}/${rest[0] ?? ''}`
  return isTopic(part) ? part : isTopic(name) ? name : 'help'
}

const isTopic = (name: string): name is HelpTopic => Object.hasOwn(helpTopics, name)

export const topicAddress = (topic: HelpTopic): string => `help/${helpTopics[topic].replace('#', '/')}`

interface HelpButtonProps {
  readonly topic: HelpTopic
  /**
   * True to open the chapter in a sheet over the window. For places where the user would lose work by leaving, or where the help page is not
   * available.
   */
  readonly over?: boolean
  readonly size?: ButtonSize
}

const HelpSheet = late(async () => (await import('./help-view.tsx')).HelpSheet)

/** The “?” button that opens the help chapter about the place where the button is. */
export function HelpButton({ topic, over = false, size = 'sm' }: HelpButtonProps) {
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="unknown" size={size} label={appText.help} onClick={() => (over ? setOpen(true) : navigate(topicAddress(topic)))} />
      {open ? <HelpSheet to={topicAddress(topic)} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
