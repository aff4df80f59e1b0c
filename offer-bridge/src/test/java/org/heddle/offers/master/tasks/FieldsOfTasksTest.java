// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.ContainerInfo;
import org.apache.mesos.v1.Protos.Environment;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.Value;
import org.heddle.offers.fixture.AuthorsGuide;
import org.heddle.offers.fixture.MarkdownTable;
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.Test;

/**
 * The guide says of each field of a task what happens to it, so that none is ignored silently, also none of a later
 * Mesos.
 */
class FieldsOfTasksTest {
    private static final String AGENT = "a1";

    private static Map<String, String> documented() throws IOException {
        return MarkdownTable.byName(AuthorsGuide.FILE, "### Fields of tasks");
    }

    private static String name(FieldDescriptor field) {
        return field.getContainingType().getName() + "." + field.getName();
    }

    /** Names of one field, durations and the like have no fields of their own to speak of. */
    private static boolean isValue(Descriptor message) {
        return Set.of(
                        "TaskID",
                        "AgentID",
                        "ExecutorID",
                        "FrameworkID",
                        "OperationID",
                        "DurationInfo",
                        "Scalar",
                        "Ranges")
                .contains(message.getName());
    }

    private static void collect(Descriptor message, Map<String, String> documented, Set<String> found) {
        for (FieldDescriptor field : message.getFields()) {
            boolean isNew = found.add(name(field));
            String treatment = documented.getOrDefault(name(field), "");
            if (isNew
                    && treatment.startsWith("honoured")
                    && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    && !isValue(field.getMessageType())) {
                collect(field.getMessageType(), documented, found);
            }
        }
    }

    @Test
    void theGuideHasEachField() throws IOException {
        Map<String, String> documented = documented();
        Set<String> found = new LinkedHashSet<>();
        for (Descriptor root : List.of(
                TaskInfo.getDescriptor(),
                ExecutorInfo.getDescriptor(),
                CommandInfo.getDescriptor(),
                ContainerInfo.getDescriptor(),
                Offer.Operation.getDescriptor())) {
            collect(root, documented, found);
        }
        assertThat(documented.keySet()).containsExactlyInAnyOrderElementsOf(found);
        assertThat(documented.values())
                .allMatch(text -> text.matches("(honoured|refused|ignored|shown|passed to the executor).*"));
    }

    private static TaskInfo.Builder sound() {
        return TaskInfo.newBuilder()
                .setName("t")
                .setTaskId(TaskID.newBuilder().setValue("t"))
                .setAgentId(AgentID.newBuilder().setValue(AGENT))
                .setCommand(CommandInfo.newBuilder().setValue("true"))
                .addAllResources(MesosResources.toMesos(Resources.of(100, 32), ""));
    }

    /** A task in which this field is set, and perhaps no field of its message. */
    private static TaskInfo with(FieldDescriptor field) throws InvalidProtocolBufferException {
        TaskInfo.Builder task = sound();
        ContainerInfo.Builder container = ContainerInfo.newBuilder().setType(ContainerInfo.Type.MESOS);
        switch (field.getContainingType().getName()) {
            case "TaskInfo" -> set(task, field);
            case "ContainerInfo" -> task.setContainer(set(container, field).buildPartial());
            case "MesosInfo" ->
                task.setContainer(container
                        .setMesos(
                                set(ContainerInfo.MesosInfo.newBuilder(), field).buildPartial())
                        .buildPartial());
            case "Variable" ->
                task.getCommandBuilder()
                        .getEnvironmentBuilder()
                        .addVariables(set(Environment.Variable.newBuilder().setName("V"), field)
                                .buildPartial());
            case "Resource" ->
                task.addResources(set(Resource.newBuilder().setName("disk").setType(Value.Type.SCALAR), field)
                        .buildPartial());
            default -> throw new AssertionError("no task is known with the field " + name(field));
        }
        return task.buildPartial();
    }

    private static <B extends Message.Builder> B set(B builder, FieldDescriptor field)
            throws InvalidProtocolBufferException {
        Object value = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                ? builder.newBuilderForField(field)
                        .mergeFrom(DynamicMessage.getDefaultInstance(field.getMessageType())
                                .toByteString())
                        .buildPartial()
                : "x";
        if (field.isRepeated()) {
            builder.addRepeatedField(field, value);
        } else {
            builder.setField(field, value);
        }
        return builder;
    }

    private static String problem(TaskInfo task) {
        try {
            MesosResources.toResources(task.getResourcesList());
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
        return String.valueOf(TaskValidator.problem(task, AGENT));
    }

    /** It is the name of a directory. */
    @Test
    void anIdIsLimitedInBytes() {
        TaskID longest = TaskID.newBuilder().setValue("\u20ac".repeat(85)).build();
        assertThat(problem(sound().setTaskId(longest).build())).isEqualTo("null");
        TaskID longer = TaskID.newBuilder().setValue(longest.getValue() + "x").build();
        assertThat(problem(sound().setTaskId(longer).build())).endsWith("want 1 to 255 bytes of UTF-8, not . or ..");
    }

    @Test
    void whatTheGuideCallsRefusedIsRefused() throws IOException {
        assertThat(problem(sound().build())).isEqualTo("null");
        Map<String, String> documented = documented();
        List<Descriptor> messages = List.of(
                TaskInfo.getDescriptor(),
                ContainerInfo.getDescriptor(),
                ContainerInfo.MesosInfo.getDescriptor(),
                Environment.Variable.getDescriptor(),
                Resource.getDescriptor());
        for (Descriptor message : messages) {
            for (FieldDescriptor field : message.getFields()) {
                if (documented.getOrDefault(name(field), "").startsWith("refused")) {
                    assertThat(problem(with(field))).as(name(field)).isNotEqualTo("null");
                }
            }
        }
    }
}
