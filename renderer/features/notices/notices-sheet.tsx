import { useState } from 'react'
import type { Notice, NoticeRow } from '../../../shared/ipc/host/notices.ts'
import { noticeText } from '../../../shared/text/notice-text.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Empty, Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'
import { appText } from '../../text/en/app.en.tsx'
import styles from './notices.module.css'

const kinds = ['orders', 'keys', 'risk', 'webhooks', 'app'] as const
type Kind = (typeof kinds)[number]

const kindOf: Readonly<Record<Notice['code'], Kind>> = {
  intent: 'orders',
  secrets_found: 'keys',
  secret_not_stored: 'keys',
  sign_in_ended: 'keys',
  command_needs_sign_in: 'keys',
  end: 'keys',
  ends: 'keys',
  low_health: 'risk',
  near_liquidation: 'risk',
  webhook_not_recreated: 'webhooks',
  webhook_failing: 'webhooks',
  receiver_test_broke: 'webhooks',
  service_down: 'app',
  service_changed: 'app',
  wrong_passphrases: 'app',
  restarted: 'app',
  page_reloaded: 'app',
  update_available: 'app',
  project_id_saved: 'app',
}

const words: Readonly<Record<Kind, { readonly icon: IconName; readonly name: string }>> = {
  orders: { icon: 'activity', name: appText.orderNotices },
  keys: { icon: 'key', name: appText.keys },
  risk: { icon: 'warn', name: appText.riskNotices },
  webhooks: { icon: 'webhook', name: appText.webhooks },
  app: { icon: 'settings', name: appText.appNotices },
}

function Row({ row, onRead }: { readonly row: NoticeRow; readonly onRead: (read: boolean) => void }) {
  const navigate = useNavigate()
  const { title, text } = noticeText(row.notice)
  const { to, read } = row
  return (
    <li className={read ? styles.read : undefined}>
      <span className={cx(styles.mark, styles[row.severity])}>
        <Icon name={words[kindOf[row.notice.code]].icon} />
      </span>
      <div>
        <h3>
          {title}
          {read ? null : (
            <span className={styles.unread}>
              <span className={textStyles.screenReaderOnly}> {appText.unread}</span>
            </span>
          )}
        </h3>
        <p>{text}</p>
        <p className={textStyles.muted}>
          <Time ms={row.atMs} />
        </p>
      </div>
      {to === null ? null : (
        <Button
          size="sm"
          onClick={() => {
            onRead(true)
            navigate(to)
          }}
        >
          {appText.open}
        </Button>
      )}
      <IconButton size="sm" icon={read ? 'eye-off' : 'check'} label={read ? appText.markUnread : appText.markRead} onClick={() => onRead(!read)} />
    </li>
  )
}

/** What the app reported in the last 30 days, newest first. A notice stays unread until the user opens or marks it. */
export function NoticesSheet({ onClose }: { readonly onClose: () => void }) {
  const list = useIpcQuery('notices.list', {})
  const { mutate } = useIpcCommand('notices.mark')
  const [kind, setKind] = useState<Kind | 'all'>('all')
  const rows = list.data ?? []
  const shown = rows.filter(({ notice }) => kind === 'all' || kindOf[notice.code] === kind)
  const unread = rows.filter(({ read }) => !read).map(({ id }) => id)
  return (
    <Sheet title={appText.notices} lead={appText.noticesLead} icon="bell" onClose={onClose} closeOnScrim className={styles.notices}>
      <div className={styles.filter}>
        <Segments
          label={appText.noticeKinds}
          value={kind}
          onChange={setKind}
          choices={[{ value: 'all', label: appText.allNotices }, ...kinds.map((one) => ({ value: one, label: words[one].name }))]}
        />
      </div>
      <div className={styles.list}>
        {list.error !== null ? (
          <FailurePanel failure={failureOf(list.error)} level={3} onRetry={() => void list.refetch()} />
        ) : list.data === undefined ? (
          <Loading label={appText.notices}>
            <Skeleton width={320} />
          </Loading>
        ) : shown.length === 0 ? (
          <Empty icon="bell" title={appText.noNotices} level={3}>
            {appText.noNoticesHelp}
          </Empty>
        ) : (
          <ul>
            {shown.map((row) => (
              <Row key={row.id} row={row} onRead={(read) => mutate({ ids: [row.id], read })} />
            ))}
          </ul>
        )}
      </div>
      <SheetFoot>
        <Button disabled={unread.length === 0} onClick={() => mutate({ ids: unread, read: true })}>
          {appText.markAllRead}
        </Button>
        <Button variant="primary" onClick={onClose}>
          {appText.close}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
