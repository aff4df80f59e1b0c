// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.Value;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtoJsonTest {
    private static String json(Message message) {
        return new String(ProtoJson.write(message), StandardCharsets.US_ASCII);
    }

    private static Call call(String json) throws MalformedMessage {
        Call.Builder call = Call.newBuilder();
        Encoding.JSON.decode(json.getBytes(StandardCharsets.UTF_8), call);
        return call.build();
    }

    @Test
    void longsAreNumbersBytesAreBase64NamesAreThoseOfTheProtoFile() {
        Value.Range range = Value.Range.newBuilder().setBegin(31000).setEnd(-1L).build();
        assertThat(json(range)).isEqualTo("{\"begin\":31000,\"end\":18446744073709551615}");
        TaskStatus status = TaskStatus.newBuilder()
                .setTaskId(org.apache.mesos.v1.Protos.TaskID.newBuilder().setValue("t\u00e4\n"))
                .setState(org.apache.mesos.v1.Protos.TaskState.TASK_RUNNING)
                .setUuid(ByteString.copyFromUtf8("0123"))
                .build();
        assertThat(json(status))
                .isEqualTo(
                        "{\"task_id\":{\"value\":\"t\\u00E4\\n\"},\"state\":\"TASK_RUNNING\",\"uuid\":\"MDEyMw==\"}");
    }

    @Test
    void nullsUnknownFieldsAndUnknownEnumValuesAreSkipped() throws MalformedMessage {
        Call call =
                call("{\"type\":\"DECLINE\",\"framework_id\":{\"value\":\"f\"},\"accept\":null,\"news\":{\"a\":[1]},"
                        + "\"decline\":{\"offer_ids\":[{\"value\":\"o\"},null],\"filters\":{\"refuse_seconds\":3}}}");
        assertThat(call.getDecline().getOfferIdsCount()).isEqualTo(1);
        assertThat(call.getDecline().getFilters().getRefuseSeconds()).isEqualTo(3.0);
        assertThat(call("{\"type\":\"TELEPORT\"}").hasType()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|not a JSON object",
                "{|not JSON",
                "{} {}|text after",
                "{\"type\":3.5}|",
                "{\"kill\":[]}|kill: want an object",
                "{\"decline\":{\"offer_ids\":{}}}|decline.offer_ids: want an array",
                "{\"acknowledge\":{\"uuid\":\"***\"}}|acknowledge.uuid = '***'",
                "{\"kill\":{\"task_id\":{\"value\":\"a\\ud83d\"}}}|kill.task_id.value = 'a",
                "{\"kill\":{\"task_id\":{}}}|required fields are missing",
                "{\"subscribe\":{\"framework_info\":{\"failover_timeout\":\"soon\"}}}|failover_timeout = 'soon'",
                "{\"subscribe\":{\"framework_info\":{\"checkpoint\":\"maybe\"}}}|checkpoint = 'maybe'",
            })
    void whatIsWrongIsSaid(String json, @org.jspecify.annotations.Nullable String message) {
        if (message == null) {
            assertThat(json).isNotEmpty();
            return;
        }
        assertThatThrownBy(() -> call(json))
                .isInstanceOf(MalformedMessage.class)
                .hasMessageContaining(message);
    }

    @Test
    void anyMessageComesBackAsItWas() throws MalformedMessage {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            for (Message.Builder builder :
                    new Message.Builder[] {Call.newBuilder(), Event.newBuilder(), TaskInfo.newBuilder()}) {
                RandomMessages.fill(builder, random, 0);
                Message message = builder.build();
                Message.Builder read = message.newBuilderForType();
                Encoding.JSON.decode(Encoding.JSON.encode(message), read);
                assertThat(read.build()).as("seed %d", seed).isEqualTo(message);
                read = message.newBuilderForType();
                Encoding.PROTOBUF.decode(Encoding.PROTOBUF.encode(message), read);
                assertThat(read.build()).as("seed %d", seed).isEqualTo(message);
            }
        }
    }

    @Test
    void recordsBeginWithTheirLength() {
        Event event = Event.newBuilder().setType(Event.Type.HEARTBEAT).build();
        assertThat(new String(Encoding.JSON.record(event), StandardCharsets.US_ASCII))
                .isEqualTo("20\n{\"type\":\"HEARTBEAT\"}");
        FieldDescriptor type = Event.getDescriptor().findFieldByName("type");
        assertThat(type).isNotNull();
    }
}
