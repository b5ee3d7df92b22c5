import { dirname } from 'node:path'
import { performs } from '../../kernel/parsing/perform.ts'
import { ignores, workTreeOf } from '../leaks/files/work-tree.ts'
import { type GitView, type GitViewGiven, gitViewJob } from './git-view-job.ts'

/** Reads git's files and never starts git, which runs programs that the folder's configuration names. */
export async function readGitView({ path, globalRules, fold }: GitViewGiven): Promise<GitView> {
  const workTree = await workTreeOf(dirname(path))
  if (workTree === null) return { state: 'outside' }
  const ignored = await ignores({ top: workTree, path, globalRules, fold })
  if (ignored === true) return { state: 'ignored' }
  return { state: ignored === null ? 'unknown' : 'not_ignored', workTree }
}

export const performGitView = performs(gitViewJob, readGitView)
