import type { Handover } from '../../../../shared/ipc/keys/secrets.ts'
import { unreachable } from '../../../../shared/result.ts'
import { most } from '../../../kernel/files/dialog-text.ts'
import { planCommand } from './any-command.ts'
import { planDocker } from './docker.ts'
import { planGithub } from './github.ts'
import { planKubernetes } from './kubernetes.ts'
import { mostOfProgram, type PlanResult, pictureOf, wrong } from './plan.ts'
import { planSsh } from './ssh.ts'
import { planSystemd } from './systemd.ts'

/** The option of each target that may be long. */
const longOption = { systemd: 'output', docker: 'name', kubernetes: 'name', github: 'environment', ssh: 'path', command: 'words' } as const

/** The command for a target, or `bad_input` with the option that cannot be: what is run is shown whole before. Pure. */
export function planHandover(handover: Handover): PlanResult {
  const planned = planFor(handover)
  if (!planned.ok || pictureOf(planned.value, '').length + mostOfProgram <= most.detail) return planned
  return wrong(longOption[handover.target], 'too long to be shown whole before it runs')
}

function planFor(handover: Handover): PlanResult {
  switch (handover.target) {
    case 'systemd':
      return planSystemd(handover.options)
    case 'docker':
      return planDocker(handover.options)
    case 'kubernetes':
      return planKubernetes(handover.options)
    case 'github':
      return planGithub(handover.options)
    case 'ssh':
      return planSsh(handover.options)
    case 'command':
      return planCommand(handover.options)
    default:
      return unreachable(handover)
  }
}
