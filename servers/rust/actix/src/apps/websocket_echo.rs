use actix_web::rt;
use actix_web::web::{Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, get};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, Session};

/// The length of the longest message that is taken, in bytes.
const LONGEST: usize = 1 << 20;

pub fn mount(config: &mut ServiceConfig) {
    config.service(upgrade);
}

/// Answers 400 by itself where no upgrade is asked for.
#[get("/ws")]
async fn upgrade(request: HttpRequest, body: Payload) -> actix_web::Result<HttpResponse> {
    let (response, session, messages) = actix_ws::handle(&request, body)?;
    let messages = messages
        .max_frame_size(LONGEST)
        .aggregate_continuations()
        .max_continuation_size(LONGEST);
    rt::spawn(echo(session, messages));
    Ok(response)
}

/// Sends each message back until the client leaves.
async fn echo(mut session: Session, mut messages: AggregatedMessageStream) {
    while let Some(Ok(message)) = messages.recv().await {
        let sent = match message {
            AggregatedMessage::Text(text) => session.text(text).await,
            AggregatedMessage::Binary(bytes) => session.binary(bytes).await,
            AggregatedMessage::Ping(payload) => session.pong(&payload).await,
            AggregatedMessage::Pong(_) => Ok(()),
            AggregatedMessage::Close(reason) => {
                let _ = session.close(reason).await; // fails where the connection has ended
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}
