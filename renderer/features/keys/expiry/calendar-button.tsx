import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'

/** Saves the known ends of keys and grants as a calendar file, where the user chooses. */
export function CalendarButton({ disabled }: { readonly disabled: boolean }) {
  const toast = useToast()
  const calendar = useDeskCommand('radar.exportCalendar')
  const save = () =>
    calendar.mutate(
      {},
      {
        onSuccess: ({ state, path, events }) => {
          if (state === 'saved') toast({ tone: 'ok', title: `${events} end${events === 1 ? '' : 's'} saved for your calendar`, text: path ?? '', action: null })
        },
        onError: () => toast({ tone: 'danger', title: 'The calendar file could not be written', text: 'Choose another folder.', action: null }),
      },
    )
  return (
    <Button icon="calendar" busy={calendar.isPending} disabled={disabled} onClick={save}>
      Calendar file
    </Button>
  )
}
