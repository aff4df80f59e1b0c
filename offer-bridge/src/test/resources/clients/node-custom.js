// SPDX-License-Identifier: Apache-2.0
// Tasks of a custom executor with the published mesos-framework, an executor shared by the tasks of a node.
// The environment: BRIDGE_HOST, and BRIDGE_CREDENTIAL as principal:secret.
// Arguments: port, number of tasks, path of node, path of the executor's script.
"use strict";
const { Scheduler } = require("mesos-framework");
const wanted = Number(process.argv[3]);
let launched = 0;
let messages = 0;
let echoed = false;
const finished = new Set();

const scalar = (name, value) => ({ name, type: "SCALAR", scalar: { value } });
const executor = {
    executor_id: { value: "shared" },
    command: { shell: true, value: process.argv[4] + " " + process.argv[5] },
    resources: [scalar("cpus", 0.1), scalar("mem", 64)],
};
const task = offer => ({
    name: "payload " + launched,
    task_id: { value: "task-" + launched++ },
    agent_id: offer.agent_id,
    executor,
    resources: [scalar("cpus", 0.1), scalar("mem", 32)],
});

const scheduler = new Scheduler({
    masterUrl: process.env.BRIDGE_HOST,
    port: Number(process.argv[2]),
    user: process.env.USER || "root",
    frameworkName: "node-custom",
    masterConnectionTimeout: 60,
    logging: { level: "error" },
    tasks: {},
    handlers: {
        OFFERS: function (event) {
            event.offers.forEach(offer => {
                const tasks = [];
                for (let i = 0; i < 2 && launched < wanted; i++) {
                    tasks.push(task(offer));
                }
                if (tasks.length === 0) {
                    this.decline([offer.id], null);
                } else {
                    this.accept([offer.id], [{ type: "LAUNCH", launch: { task_infos: tasks } }], { refuse_seconds: 0.1 });
                }
            });
        },
        UPDATE: function (update) {
            const status = update.status;
            console.log(status.task_id.value + " " + status.state + " " + (status.message || ""));
            if (status.uuid) {
                this.acknowledge(update);
            }
            if (status.state === "TASK_FINISHED") {
                finished.add(status.task_id.value);
                if (finished.size === 1) {
                    this.message(status.agent_id.value, status.executor_id.value, "hello");
                }
            } else if (status.state !== "TASK_RUNNING") {
                process.exit(4);
            }
            end();
        },
        MESSAGE: function (message) {
            const text = Buffer.from(message.data, "base64").toString();
            console.log("message: " + text);
            messages += text.startsWith("data of task-") && text.includes("payload") ? 1 : 0;
            echoed = echoed || text === "echo hello";
            end();
        },
    },
});

function end() {
    if (finished.size === wanted && messages === wanted && echoed) {
        scheduler.on("sent_teardown", () => {
            console.log("DONE");
            process.exit(0);
        });
        setTimeout(() => scheduler.teardown(), 200);
    }
}
if (process.env.BRIDGE_CREDENTIAL) {
    scheduler.requestTemplate.headers.Authorization =
        "Basic " + Buffer.from(process.env.BRIDGE_CREDENTIAL).toString("base64");
}
scheduler.on("error", error => console.log("error " + JSON.stringify(error) + " " + (error.message || "")));
scheduler.on("ready", () => scheduler.subscribe());
