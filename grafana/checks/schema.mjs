// SPDX-License-Identifier: Apache-2.0
//
// Validators made of the TypeScript types that Grafana publishes (@grafana/schema).

import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import { createGenerator } from 'ts-json-schema-generator';

const TYPES = fileURLToPath(new URL('../node_modules/@grafana/schema/dist/types/', import.meta.url));
const PANELS = { timeseries: 'timeseries', stat: 'stat', heatmap: 'heatmap', table: 'table', bargauge: 'bargauge', 'state-timeline': 'statetimeline' };
/** Panel types whose fieldConfig.defaults.custom has a type of its own. */
const CUSTOM = ['timeseries', 'heatmap', 'state-timeline', 'table'];

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strict: false });

/** A function that throws what is wrong with a value that should be of a type in one of the files. */
function validator(path, type) {
  const schema = createGenerator({ path: TYPES + path, type, skipTypeCheck: true, additionalProperties: false, expose: 'none', topRef: false }).createSchema(type);
  const validate = ajv.compile(schema);
  return (value, name) => {
    if (!validate(value)) {
      throw new Error(`${name}: ${validate.errors.slice(0, 5).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`).join('; ')}`);
    }
  };
}

/** The schema knows the annotations of Grafana's own data source only: those of Prometheus keep their
 * query and texts in properties that it does not name. */
function withoutTargets(json) {
  const list = json.annotations.list.map(({ target, titleFormat, textFormat, tagKeys, useValueForTime, ...rest }) => rest);
  return { ...json, annotations: { list } };
}

/** {dashboard(json), panel(json)}: each throws if it is not what Grafana's types say. */
export function validators() {
  const whole = validator('raw/dashboard/x/types.gen.d.ts', 'Dashboard');
  const options = {};
  const custom = {};
  for (const [type, folder] of Object.entries(PANELS)) {
    const path = `raw/composable/${folder}/panelcfg/x/types.gen.d.ts`;
    options[type] = validator(path, 'Options');
    custom[type] = CUSTOM.includes(type) ? validator(path, 'FieldConfig') : () => {};
  }
  return {
    dashboard: (json) => whole(withoutTargets(json), json.title),
    panel: ({ type, title, options: own, fieldConfig }) => {
      if (!options[type]) {
        throw new Error(`${title}: no schema for panels of type ${type}`);
      }
      options[type](own, `${title}, options`);
      custom[type](fieldConfig.defaults.custom ?? {}, `${title}, fieldConfig.defaults.custom`);
    },
  };
}
