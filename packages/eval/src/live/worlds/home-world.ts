import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import type { LiveTool } from '../task.js'

const room = z.enum(['kitchen', 'living_room', 'bedroom', 'office', 'hall'])
type Room = z.infer<typeof room>

export interface HomeWorld {
  readonly lights: Map<Room, { readonly brightness: number; readonly color?: string | undefined }>
  readonly heating: Map<Room, number>
  readonly scenes: Map<string, unknown>
  readonly tools: readonly LiveTool[]
}

export function createHomeWorld(celsius: Readonly<Record<Room, number>>): HomeWorld {
  const lights: HomeWorld['lights'] = new Map()
  const heating: HomeWorld['heating'] = new Map()
  const scenes: HomeWorld['scenes'] = new Map()
  const light = z.object({
    room,
    brightness: z.int().min(0).max(100).describe('Percent; 0 is off'),
    color: z.enum(['warm', 'neutral', 'cold']).optional(),
  })
  const tools = [
    defineTool({
      name: 'read_thermometer',
      description: 'Measures the temperature in a room.',
      input: z.object({ room }),
      execute: ({ room }) => ({ room, celsius: celsius[room] }),
    }),
    defineTool({
      name: 'set_heating',
      description: 'Sets the temperature that a room is heated to.',
      input: z.object({ room, celsius: z.number().min(5).max(28) }),
      execute: ({ room, celsius }) => {
        heating.set(room, celsius)
        return { room, target_celsius: celsius }
      },
    }),
    defineTool({
      name: 'set_light',
      description: 'Sets the light of one room.',
      input: light,
      execute: ({ room, brightness, color }) => {
        lights.set(room, { brightness, color })
        return { room, brightness }
      },
    }),
    defineTool({
      name: 'save_scene',
      description:
        'Saves a scene: several lights that are set together later on. Does not set them now.',
      input: z.object({
        name: z.string(),
        lights: z.array(light).min(1),
        fade: z.object({ seconds: z.number(), curve: z.enum(['linear', 'ease']) }).optional(),
      }),
      execute: ({ name, ...scene }) => {
        scenes.set(name, scene)
        return { saved: name }
      },
    }),
  ]
  return { lights, heating, scenes, tools }
}
