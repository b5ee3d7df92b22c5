import type { Workbench } from './proof.ts'

/** Messages from a worker to its parent process. The worker sends `ready` once, before its first result. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly item: string; readonly result: unknown }
  | { readonly type: 'failed'; readonly item: string; readonly error: string }

const [, , file = ''] = process.argv
const { open } = (await import(file)) as { open(): Promise<Workbench> }
const opening = open()

const tell = (message: WorkerMessage) => process.send?.(message)

let ending = false
async function end(): Promise<void> {
  if (ending) return
  ending = true
  await opening.then((workbench) => workbench.close()).catch(() => {})
  process.exit(0)
}

// Ctrl-C reaches the whole process group, but only the parent decides when a worker ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => void end())
// The parent has exited or crashed. SIGTERM ends this worker and the processes that its workbench started.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))

const workbench = await opening
process.on('message', (item: string) => {
  workbench.run(item).then(
    (result) => tell({ type: 'done', item, result }),
    (error: unknown) => tell({ type: 'failed', item, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
tell({ type: 'ready' })
