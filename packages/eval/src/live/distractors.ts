import { z } from 'zod'
import { createRandom, shuffle } from '../random.js'
import { defineTool } from './define-tool.js'
import type { LiveTool } from './task.js'

const text = z.string()
const id = z.int()
const distractor = (name: string, description: string, input: z.ZodType) =>
  defineTool({ name, description, input, execute: () => ({ ok: true }) })

/**
 * Tools that no task needs. They return a result like real ones, so that no error stops a model that
 * calls one.
 */
const pool: readonly LiveTool[] = [
  distractor(
    'find_recipe',
    'Finds recipes by what is in the fridge.',
    z.object({ ingredients: z.array(text), minutes: id.optional() }),
  ),
  distractor(
    'identify_plant',
    'Names a plant by its features.',
    z.object({ leaf: z.enum(['round', 'needle', 'lobed']), height_cm: z.number() }),
  ),
  distractor('play_song', 'Plays a song.', z.object({ title: text, artist: text.optional() })),
  distractor(
    'start_timer',
    'Starts a kitchen timer.',
    z.object({ seconds: id, label: text.optional() }),
  ),
  distractor('get_horoscope', 'Reads the horoscope of a sign.', z.object({ sign: text })),
  distractor('roll_dice', 'Rolls dice.', z.object({ count: id, sides: id })),
  distractor(
    'translate_word',
    'Looks a word up in a dictionary.',
    z.object({ word: text, language: z.enum(['latin', 'finnish', 'maori']) }),
  ),
  distractor(
    'reserve_table',
    'Reserves a table in a restaurant.',
    z.object({ restaurant: text, people: id, time: text }),
  ),
  distractor('track_parcel', 'Shows where a parcel is.', z.object({ tracking_number: text })),
  distractor(
    'water_garden',
    'Turns the sprinklers of the garden on.',
    z.object({ zone: z.enum(['lawn', 'beds', 'hedge']), minutes: id }),
  ),
  distractor(
    'log_workout',
    'Adds a workout to the diary.',
    z.object({ sport: text, minutes: id, heart_rate: id.optional() }),
  ),
  distractor(
    'get_tide',
    'Shows high and low water at a harbour.',
    z.object({ harbour: text, day: text }),
  ),
  distractor(
    'scan_document',
    'Scans a page from the scanner.',
    z.object({ dpi: id, color: z.boolean() }),
  ),
  distractor('charge_car', 'Sets the charge limit of the car.', z.object({ limit_percent: id })),
  distractor('book_court', 'Books a tennis court.', z.object({ court: id, hour: id })),
  distractor(
    'count_calories',
    'Estimates the calories of a meal.',
    z.object({ meal: text, grams: z.number() }),
  ),
  distractor(
    'find_constellation',
    'Says where a constellation stands tonight.',
    z.object({ name: text }),
  ),
  distractor('feed_pet', 'Opens the pet feeder.', z.object({ pet: text, portions: id })),
  distractor(
    'make_playlist',
    'Creates a list of songs.',
    z.object({ name: text, songs: z.array(z.object({ title: text, artist: text })) }),
  ),
  distractor('read_meter', 'Reads the electricity meter.', z.object({ meter_id: text })),
  distractor('renew_book', 'Renews a book of the library.', z.object({ isbn: text })),
  distractor(
    'spell_check_sign',
    'Checks the spelling of a street sign.',
    z.object({ sign_text: text }),
  ),
  distractor(
    'vote_movie',
    'Votes for the movie of the evening.',
    z.object({ movie: text, stars: id }),
  ),
  distractor(
    'wake_me',
    'Sets the alarm clock.',
    z.object({
      time: text,
      repeat: z.array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri'])).optional(),
    }),
  ),
]

export const maxDistractors = pool.length

/** Chooses tools by the seed, without the names of the task's own tools. */
export function chooseDistractors(
  count: number,
  own: readonly LiveTool[],
  seed: string,
): LiveTool[] {
  const taken = new Set(own.map(({ name }) => name))
  return shuffle(pool, createRandom(seed))
    .filter(({ name }) => !taken.has(name))
    .slice(0, count)
}
