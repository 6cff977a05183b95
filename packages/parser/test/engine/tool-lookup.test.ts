import { describe, expect, it } from 'vitest'
import { createToolLookup, foldName } from '../../src/engine/tool-lookup.js'

// biome-ignore format: a table
describe('the tool that a name means', () => {
  it.each<[string[], string, string | undefined]>([
    // tools                                    written                     tool
    [['get_weather'],                           'get_weather',              'get_weather'],
    [['get_weather'],                           'Get-Weather',              'get_weather'],
    [['get_weather'],                           'GET.WEATHER',              'get_weather'],
    [['resolve-library-id'],                    'resolve_library_id',       'resolve-library-id'],
    [['tides.at'],                              'tides_at',                 'tides.at'],
    [['größe'],                                 'GRÖße',                    'größe'],
    // A sign is not added or dropped.
    [['get_weather'],                           'getWeather',               undefined],
    [['get_weather'],                           'get__weather',             undefined],
    [['get_weather'],                           'get_weathers',             undefined],
    [['größe'],                                 'GRÖSSE',                   undefined],
    [['get_weather'],                           ' get_weather',             undefined],
    [['get_weather'],                           '',                         undefined],
    [[],                                        'get_weather',              undefined],
    // A namespace in front.
    [['get_weather'],                           'functions.get_weather',    'get_weather'],
    [['get_weather'],                           'Functions_Get-Weather',    'get_weather'],
    [['get_weather'],                           'functionsget_weather',     undefined],
    [['get_weather'],                           'tools.get_weather',        undefined],
    [['functions.f'],                           'functions_f',              'functions.f'],
    [['functions.f'],                           'f',                        undefined],
    // The exact name counts, also after a namespace; of two others, none does.
    [['Find', 'find'],                          'find',                     'find'],
    [['Find', 'find'],                          'functions.find',           'find'],
    [['Find', 'find'],                          'FIND',                     undefined],
    [['a-b', 'a_b'],                            'a.b',                      undefined],
    [['Find', 'find'],                          'functions.FIND',           undefined],
    [['functions.f', 'f'],                      'functions.f',              'functions.f'],
    [['functions.f', 'f'],                      'Functions.F',              undefined],
    // One sign for the two after a namespace.
    [['mcp__notes__read_note'],                 'mcp__notes.read_note',     'mcp__notes__read_note'],
    [['mcp__notes__read_note'],                 'mcp.notes.Read-Note',      'mcp__notes__read_note'],
    [['mcp__notes__read_note'],                 'functions.mcp__notes.read_note', 'mcp__notes__read_note'],
    [['mcp__notes__read_note'],                 'functions__mcp__notes__read_note', undefined],
    [['a__b__c', 'a__b_c'],                     'a__b__c',                  'a__b__c'],
    [['a__b__c', 'a__b_c'],                     'a__b.c',                   'a__b_c'],
    [['a__b__c', 'a__b_c'],                     'a.b.c',                    undefined],
    [['a__b', 'a_b'],                           'a.b',                      'a_b'],
    [['a_b'],                                   'a__b',                     undefined],
    // A missing namespace does not prove a call.
    [['mcp__notes__read_note'],                 'read_note',                undefined],
    [['mcp__notes__read_note'],                 'notes__read_note',         undefined],
    // Names of properties that every object has.
    [['f'],                                     '__proto__',                undefined],
    [['f'],                                     'constructor',              undefined],
  ])('of %j, %j: %s', (names, written, tool) => {
    expect(createToolLookup(names).find(written)).toBe(tool)
  })
})

// biome-ignore format: a table
describe('the tool that a call calls', () => {
  it.each<[string[], string, string | undefined]>([
    // tools                                    written                     tool
    [['mcp__notes__read_note'],                 'read_note',                'mcp__notes__read_note'],
    [['mcp__notes__read_note'],                 'Read.Note',                'mcp__notes__read_note'],
    [['mcp__notes__read_note'],                 'functions.read_note',      'mcp__notes__read_note'],
    [['mcp__notes__read_note'],                 'mcp__notes.read_note',     'mcp__notes__read_note'],
    // The tool at the top level has that name.
    [['mcp__notes__read', 'read'],              'read',                     'read'],
    [['mcp__notes__read', 'read'],              'READ',                     'read'],
    // Several fit, or none.
    [['a__read', 'b__read'],                    'read',                     undefined],
    [['a__read', 'b__read'],                    'a.read',                   'a__read'],
    [['a__find', 'Find', 'find'],               'FIND',                     undefined],
    [['a__find', 'Find', 'find'],               'functions.FIND',           undefined],
    [['functions.f', 'f', 'a__functions_f'],    'Functions.F',              undefined],
    [['mcp__notes__read_note'],                 'note',                     undefined],
    [['mcp__notes__read_note'],                 'files__read_note',         undefined],
    [['notes__'],                               '',                         undefined],
  ])('of %j, %j: %s', (names, written, tool) => {
    expect(createToolLookup(names).findCalled(written)).toBe(tool)
  })
})

// biome-ignore format: a table
describe('the names at a place', () => {
  it.each<[string, string[], string | undefined]>([
    // text after the place    names                            begun
    ['get_weather>',           ['get_weather'],                 undefined],
    ['Get-Weather_Map x',      ['Get-Weather', 'Get-Weather_Map'], undefined],
    ['get_weather',            ['get_weather'],                 'get_weather-map'],
    ['Get.w',                  [],                              'Get.weather'],
    ['get_weather_map',        ['get_weather', 'get_weather_map'], undefined],
    ['git',                    [],                              undefined],
    ['FIND',                   [],                              undefined],
    ['find',                   ['find'],                        undefined],
    ['',                       [],                              'find'],
  ])('%j: %j', (text, written, begun) => {
    const lookup = createToolLookup(['get_weather_map', 'Find', 'get_weather', 'find'])
    expect(lookup.matchAt(`<${text}`, 1)).toEqual({ written, begun })
  })

  it('begin with one of some characters', () => {
    const chars = createToolLookup(['Find', '-x', 'get', '']).firstChars()
    expect([...new Set(chars)].sort()).toEqual(['-', '.', 'F', 'G', '_', 'f', 'g'])
  })
})

it('tells of each beginning of a name that it may go on', () => {
  const lookup = createToolLookup(['get_weather', 'mcp__notes__read_note', 'mcp__a__b'])
  for (const name of ['Get.Weather', 'mcp__notes.read_note', 'mcp.notes__read.note', 'mcp__A-b']) {
    for (let end = 0; end <= name.length; end++)
      expect(lookup.mayBegin(name.slice(0, end)), name.slice(0, end)).toBe(true)
    expect(lookup.mayBegin(`${name}s`), `${name}s`).toBe(false)
  }
})

it('is prepared for many names with many separators', () => {
  const names = Array.from({ length: 5000 }, (_, i) => `${'a__'.repeat(100)}${i}`)
  expect(createToolLookup(names).findCalled('4999')).toBe(names[4999])
})

it('adds and drops no character of a name', () => {
  for (const name of ['İstanbul', 'ΣΑΣ', 'Straße', 'Ǆ', '𝔄b_C', 'K']) {
    expect(foldName(name).length, name).toBe(name.length)
    expect(foldName(name.slice(1)), name).toBe(foldName(name).slice(1))
  }
})
