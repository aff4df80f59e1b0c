// SPDX-License-Identifier: Apache-2.0
// An executor on the published mesos-framework: "runs" each task by telling its states and its data back.
"use strict";
const { Executor, Mesos } = require("mesos-framework");
const mesos = Mesos.getMesos();
const uuid = require("uuid");

function tell(executor, task, state) {
    executor.update({
        task_id: task.task_id,
        executor_id: executor.executorId,
        agent_id: task.agent_id,
        state,
        source: "SOURCE_EXECUTOR",
        uuid: Buffer.from(uuid.v4(null, Buffer.alloc(16))).toString("base64"),
    });
}

const executor = new Executor({
    handlers: {
        SUBSCRIBED: function (subscribed) {
            console.log("subscribed as " + subscribed.executor_info.executor_id.value);
        },
        LAUNCH: function (launch) {
            tell(this, launch.task, "TASK_RUNNING");
            this.message("data of " + launch.task.task_id.value + ": " + launch.task.name);
            setTimeout(() => tell(this, launch.task, "TASK_FINISHED"), 50);
        },
        ACKNOWLEDGED: function (acknowledged) {},
        KILL: function (kill) {},
        MESSAGE: function (message) {
            this.message("echo " + Buffer.from(message.data, "base64").toString());
        },
        SHUTDOWN: function (shutdown) {
            process.exit(0);
        },
        ERROR: function (error) {
            process.exit(1);
        },
    },
});
executor.on("error", error => console.log("error " + JSON.stringify(error)));
executor.subscribe();
