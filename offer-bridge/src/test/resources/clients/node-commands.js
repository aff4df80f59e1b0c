// SPDX-License-Identifier: Apache-2.0
// Command tasks with the published mesos-framework and its own offer handling.
// The environment: BRIDGE_HOST, and BRIDGE_CREDENTIAL as principal:secret.
// Arguments: port, number of tasks.
"use strict";
const { Scheduler, Mesos } = require("mesos-framework");
const mesos = Mesos.getMesos();
const wanted = Number(process.argv[3]);
const finished = new Set();

const scheduler = new Scheduler({
    masterUrl: process.env.BRIDGE_HOST,
    port: Number(process.argv[2]),
    user: process.env.USER || "root",
    frameworkName: "node-commands",
    masterConnectionTimeout: 60,
    restartStates: [],
    logging: { level: "error" },
    tasks: {
        echo: {
            priority: 1,
            instances: wanted,
            commandInfo: new mesos.CommandInfo(null, null, true, "echo $HOST in $MESOS_SANDBOX", null, null),
            resources: { cpus: 0.2, mem: 32, ports: 1, disk: 1 },
        },
    },
});
if (process.env.BRIDGE_CREDENTIAL) {
    scheduler.requestTemplate.headers.Authorization =
        "Basic " + Buffer.from(process.env.BRIDGE_CREDENTIAL).toString("base64");
}
scheduler.on("subscribed", obj => console.log("subscribed " + obj.frameworkId));
scheduler.on("update", update => {
    const status = update.status;
    console.log(status.task_id.value + " " + status.state);
    if (status.state === "TASK_FINISHED") {
        finished.add(status.task_id.value);
    } else if (status.state !== "TASK_RUNNING" && status.state !== "TASK_STARTING") {
        console.log("FAILED " + JSON.stringify(status));
        process.exit(4);
    }
    if (finished.size === wanted) {
        scheduler.on("sent_teardown", () => {
            console.log("DONE");
            process.exit(0);
        });
        setTimeout(() => scheduler.teardown(), 200);
    }
});
scheduler.on("error", error => console.log("error " + JSON.stringify(error) + " " + (error.message || "")));
scheduler.on("ready", () => scheduler.subscribe());
